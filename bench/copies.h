/*
 * copies.h - the copies that the floors use. Lengths that no predictor can learn cost 4 to 5 ns for
 * each class that is guessed wrong, so a good copy has few and wide classes and no branch inside.
 * None of them reads outside the source or writes outside the value.
 */
#ifndef BENCH_COPIES_H_INCLUDED
#define BENCH_COPIES_H_INCLUDED

#include "bench.h"

/* n bytes for w <= n <= 4w, as four words of w bytes that overlap where n < 4w. */
#define COPY_FOUR_(d, s, n, w)                                                                     \
    do {                                                                                           \
        const size_t q_ = (n) / (2 * (w)) * (w);                                                   \
        char a_[w], b_[w], c_[w], e_[w];                                                           \
        memcpy(a_, (s), w);                                                                        \
        memcpy(b_, (s) + q_, w);                                                                   \
        memcpy(c_, (s) + (n) - (w) - q_, w);                                                       \
        memcpy(e_, (s) + (n) - (w), w);                                                            \
        memcpy((d), a_, w);                                                                        \
        memcpy((d) + q_, b_, w);                                                                   \
        memcpy((d) + (n) - (w) - q_, c_, w);                                                       \
        memcpy((d) + (n) - (w), e_, w);                                                            \
    } while (0)

BENCH_INLINE void copy_three(char *d, const char *s, size_t n)
{
    if (n != 0) {
        const char a = s[0], b = s[n >> 1], c = s[n - 1];
        d[0] = a;
        d[n >> 1] = b;
        d[n - 1] = c;
    }
}

/* 1-3 bytes; 4-16 as four 4-byte words; 17-64 as four 16-byte words; memcpy above. */
BENCH_INLINE void copy_flat(char *d, const char *s, size_t n)
{
    if (__builtin_constant_p(n)) memcpy(d, s, n);
    else if (n > 16) {
        if (n <= 64) COPY_FOUR_(d, s, n, 16);
        else memcpy(d, s, n);
    } else if (n >= 4) COPY_FOUR_(d, s, n, 4);
    else copy_three(d, s, n);
}

/* 1-3 bytes; 4-7 as two 4-byte words; 8-32 as four 8-byte words; 33-64 as four of 16. */
BENCH_INLINE void copy_eight(char *d, const char *s, size_t n)
{
    if (__builtin_constant_p(n)) memcpy(d, s, n);
    else if (n >= 8) {
        if (n <= 32) COPY_FOUR_(d, s, n, 8);
        else if (n <= 64) COPY_FOUR_(d, s, n, 16);
        else memcpy(d, s, n);
    } else if (n >= 4) {
        char a[4], b[4];
        memcpy(a, s, 4);
        memcpy(b, s + n - 4, 4);
        memcpy(d, a, 4);
        memcpy(d + n - 4, b, 4);
    } else copy_three(d, s, n);
}

#endif

/*
 * Tests that have to fail, one for each thing that the harness watches. `make check-harness` runs
 * each of them alone and expects exit status 1. They stand outside tests.def, in failing.def.
 */
#include "../test.h"

static void *take(struct test *t, size_t bytes, size_t align)
{
    return t->hooks->alloc(t->hooks->ctx, bytes, align);
}
static void give(struct test *t, void *p, size_t bytes, size_t align)
{
    t->hooks->free(t->hooks->ctx, p, bytes, align);
}

TEST(failing, check) { CHECK(1 + 1 == 3); }
TEST(failing, check_eq) { CHECK_EQ(1 + 1, 3); }
TEST(failing, check_eq_high_bits) { CHECK_EQ((uint64_t)1 << 32, 0); }
TEST(failing, check_str) { CHECK_STR("one", "two"); }
TEST(failing, check_str_null) { CHECK_STR("one", NULL); }
TEST(failing, check_mem) { CHECK_MEM("abc", "abd", 3); }
TEST(failing, check_mem_null) { CHECK_MEM("abc", NULL, 3); }
TEST(failing, leak) { CHECK(take(t, 8, 8) != NULL); }
TEST(failing, free_other_size) { give(t, take(t, 8, 8), 9, 8); }
TEST(failing, free_other_align) { give(t, take(t, 8, 8), 8, 4); }
TEST(failing, free_null) { give(t, NULL, 8, 8); }

TEST(failing, free_twice)
{
    void *p = take(t, 8, 8);
    give(t, p, 8, 8);
    give(t, p, 8, 8);
}

TEST(failing, free_inside)
{
    char *p = (char *)take(t, 8, 1);
    give(t, p + 1, 7, 1);
    give(t, p, 8, 1);
}

TEST(failing, wrong_context_alloc) { (void)t->hooks->alloc(NULL, 8, 8); }

TEST(failing, wrong_context_free)
{
    void *p = take(t, 8, 8);
    t->hooks->free(NULL, p, 8, 8);
    give(t, p, 8, 8);
}

TEST(failing, zero_bytes) { give(t, take(t, 0, 1), 0, 1); }
TEST(failing, bad_alignment) { CHECK(take(t, 8, 3) == NULL); }

TEST(failing, written_before)
{
    char *p = (char *)take(t, 8, 8);
    p[-1] = 0;
    give(t, p, 8, 8);
}

TEST(failing, written_behind)
{
    char *p = (char *)take(t, 8, 8);
    p[8] = 0;
    give(t, p, 8, 8);
}

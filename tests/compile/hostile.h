/*
 * Macros that real headers and real users define: windows.h (min, max, near, far, small, interface,
 * IN, OUT...), the predefined ones of old compilers (unix, linux), complex.h (I), sys/sysmacros.h
 * (major, minor), curses.h (clear, erase, move, refresh), X11 (None, Status, Success, Bool),
 * termios, debugging allocators (malloc, free as macros) and the helpers that nearly every project
 * has. Everything is defined to something that does not compile when it is used.
 */
#define min(a, b) hostile min
#define max(a, b) hostile max
#define near hostile near
#define far hostile far
#define small hostile small
#define huge hostile huge
#define pascal hostile pascal
#define cdecl hostile cdecl
#define interface hostile interface
#define I hostile I
#define EMPTY hostile EMPTY
#undef unix
#define unix hostile unix
#undef linux
#define linux hostile linux
#undef i386
#define i386 hostile i386
#define IN hostile IN
#define OUT hostile OUT
#define OPTIONAL hostile OPTIONAL
#define THIS hostile THIS
#define CONST hostile CONST
#define VOID hostile VOID
#define ERROR hostile ERROR
#define NO_ERROR hostile NO_ERROR
#define DOMAIN hostile DOMAIN
#define OVERFLOW hostile OVERFLOW
#define DELETE hostile DELETE
#define TRUE hostile TRUE
#define FALSE hostile FALSE
#define None hostile None
#define Bool hostile Bool
#define Status hostile Status
#define Success hostile Success
#define Always hostile Always
#define major(d) hostile major
#define minor(d) hostile minor
#define clear() hostile clear
#define erase() hostile erase
#define refresh() hostile refresh
#define move(y, x) hostile move
#define swap(a, b) hostile swap
#define align(x) hostile align
#define offset(x) hostile offset
#define hash(x) hostile hash
#define likely(x) hostile likely
#define unlikely(x) hostile unlikely
#define check(x) hostile check
#define fail(x) hostile fail
#define str(x) hostile str
#define cat(a, b) hostile cat
#define STR(x) hostile STR
#define CAT(a, b) hostile CAT
#define MIN(a, b) hostile MIN
#define MAX(a, b) hostile MAX
#define ALIGN(x) hostile ALIGN
#define ARRAY_SIZE(x) hostile ARRAY_SIZE
#define PAGE_SIZE hostile PAGE_SIZE
#define CHUNK hostile CHUNK
#define SIZE hostile SIZE
#define COUNT hostile COUNT
#define NONE hostile NONE
#define OK hostile OK
#define B0 hostile B0
#define T hostile T
#define E hostile E
#define N hostile N
#define S hostile S
#define A hostile A
#define KB hostile KB
#define MB hostile MB

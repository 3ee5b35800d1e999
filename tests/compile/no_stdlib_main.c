/* Runs the freestanding unit on a hosted system. */
int no_stdlib_run(void);

int main(void) { return no_stdlib_run(); }

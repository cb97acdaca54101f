// What the programs of this folder print: a name and the least seconds of several runs, by the process's processor time
// (`lanework run FILE.cu -- cpu`, for one thread) or by the clock.
#pragma once

#include <cstdio>
#include <cstring>
#include <ctime>

#define SERIAL [[gnu::noinline]] static

static clockid_t clock_of_run = CLOCK_MONOTONIC;
static void choose_clock(int argc, char** argv) {
    if (argc > 1 && strcmp(argv[1], "cpu") == 0) clock_of_run = CLOCK_PROCESS_CPUTIME_ID;
}
static double now() {
    timespec time;
    clock_gettime(clock_of_run, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}
template <class Work>
static void report(const char* name, int runs, const Work& work) {
    double least = 1e30;
    for (int i = 0; i < runs; ++i) {
        const double start = now();
        work();
        cudaDeviceSynchronize();
        const double taken = now() - start;
        if (taken < least) least = taken;
    }
    printf("%s %.6f\n", name, least);
    fflush(stdout);
}

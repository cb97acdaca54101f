// What atomic operations return and leave. Inc: old ≥ limit ? 0 : old + 1; Dec: old = 0 or old > limit ? limit : old
// − 1.
#include "check.hpp"

__device__ double add_by_cas(double* address, double value) {
    auto* const bits = reinterpret_cast<unsigned long long*>(address);
    unsigned long long seen = *bits, expected;
    do {
        expected = seen;
        seen = atomicCAS(bits, expected,
                         __double_as_longlong(value + __longlong_as_double(static_cast<long long>(expected))));
    } while (seen != expected);
    return __longlong_as_double(static_cast<long long>(seen));
}

__global__ void once(unsigned* cell, unsigned* old) {
    old[0] = atomicAdd(&cell[0], 5u), old[1] = atomicSub(&cell[1], 5u), old[2] = atomicExch(&cell[2], 5u);
    old[3] = atomicMin(&cell[3], 5u), old[4] = atomicMax(&cell[4], 5u);
    old[5] = atomicInc(&cell[5], 10u), old[6] = atomicDec(&cell[6], 10u);
    old[7] = atomicCAS(&cell[7], 10u, 5u), old[8] = atomicAnd(&cell[8], 6u), old[9] = atomicOr(&cell[9], 5u);
    old[10] = atomicXor(&cell[10], 3u);
}

__global__ void together(int* count, double* sum) {
    atomicAdd(count, 1);
    add_by_cas(sum, 0.25);
}

int main() {
    constexpr const char* kNames[] = {"Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor"};
    constexpr int kCells = 11;
    unsigned *const cell = managed<unsigned>(kCells), *const old = managed<unsigned>(kCells);
    for (int i = 0; i < kCells; ++i) cell[i] = 10;
    once<<<1, 1>>>(cell, old);
    check_launch();
    for (int i = 0; i < kCells; ++i) std::printf("atomic%s: %u became %u\n", kNames[i], old[i], cell[i]);
    int* const count = managed<int>(1);
    double* const sum = managed<double>(1);
    *count = 0, *sum = 0;
    together<<<4, 100>>>(count, sum);
    check_launch();
    std::printf("400 threads: %d, %g\n", *count, *sum);
    for (void* const memory :
         {static_cast<void*>(cell), static_cast<void*>(old), static_cast<void*>(count), static_cast<void*>(sum)})
        check(cudaFree(memory));
}

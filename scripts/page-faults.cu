// Measures what a kernel waits for managed memory that comes page by page: by how much of it there is, by who had it
// last, and by who asks for it. One line a figure: what, bytes, and of several runs the median, the least and the most
// in microseconds, the launch among them. No more than 16 MiB of managed memory are held.
//   nvcc -O3 -arch=native -o page-faults scripts/page-faults.cu && ./page-faults > page-faults.csv
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

void check(cudaError_t code) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "page-faults: %s\n", cudaGetErrorString(code));
    std::exit(4);
}

constexpr int kThreads = 256;
constexpr std::size_t kPageInts = 1024, kMost = std::size_t{16} << 20;

__managed__ int variable;
volatile int sink;

__global__ void nothing() {}
__global__ void set(int* word, int value) { *word = value; }
__global__ void set_variable(int value) { variable = value; }
__global__ void read(const int* words, std::size_t count, int* sum) {
    int mine = 0;
    for (std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * kThreads)
        mine += words[i];
    if (mine == -1) *sum = mine;
}
__global__ void write(int* words, std::size_t count) {
    for (std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * kThreads)
        words[i] = static_cast<int>(i);
}
/// A word after the other: each address needs the word before.
__global__ void walk(const int* words, std::size_t count, std::size_t step, int* sum) {
    int mine = 0;
    for (std::size_t i = 0; i < count; i += step) mine += words[i + (mine == -1)];
    *sum = mine;
}

using Step = std::function<void()>;

double microseconds(const Step& run) {
    static cudaEvent_t begin = nullptr, end = nullptr;
    if (!begin) {
        check(cudaEventCreate(&begin));
        check(cudaEventCreate(&end));
    }
    check(cudaDeviceSynchronize());
    check(cudaEventRecord(begin));
    run();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end));
    return 1e3 * ms;
}

void tell(const char* what, std::size_t bytes, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    std::printf("\"%s\",%zu,%.1f,%.1f,%.1f\n", what, bytes, times[times.size() / 2], times.front(), times.back());
    std::fflush(stdout);
}

void measure(const char* what, std::size_t bytes, const Step& before, const Step& run, int runs = 9) {
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) {
        before();
        times.push_back(microseconds(run));
    }
    tell(what, bytes, times);
}

int* managed(std::size_t bytes) {
    int* words = nullptr;
    check(cudaMallocManaged(&words, bytes));
    return words;
}

void measure_bytes(std::size_t bytes, int* sum) {
    int* const words = managed(bytes);
    const std::size_t count = bytes / sizeof(int);
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>((count + kThreads - 1) / kThreads, 132 * 8));
    const Step idle = [] {};
    const Step host_writes = [&] { std::fill(words, words + count, 1); };
    const Step host_reads = [&] {
        int all = 0;
        for (std::size_t i = 0; i < count; i += 16) all += words[i];
        sink = all;
    };
    const Step reads = [&] { read<<<blocks, kThreads>>>(words, count, sum); };
    const Step writes = [&] { write<<<blocks, kThreads>>>(words, count); };
    const Step reads_alone = [&] { read<<<1, kThreads>>>(words, count, sum); };
    const Step walks = [&] { walk<<<1, 1>>>(words, count, kPageInts, sum); };
    host_writes();
    measure("read, host wrote", bytes, host_writes, reads);
    measure("read, host read", bytes, host_reads, reads);
    measure("read, resident", bytes, idle, reads);
    measure("write, host wrote", bytes, host_writes, writes);
    measure("write, host read", bytes, host_reads, writes);
    measure("write, resident", bytes, idle, writes);
    measure("one block reads, host wrote", bytes, host_writes, reads_alone, 5);
    measure("one block reads, resident", bytes, idle, reads_alone, 5);
    measure("one thread, each 4 KB, host wrote", bytes, host_writes, walks, 5);
    measure("one thread, each 4 KB, resident", bytes, idle, walks, 5);
    measure(
        "read, fetched ahead", bytes,
        [&] {
            host_writes();
            check(cudaMemPrefetchAsync(words, bytes, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, nullptr));
            check(cudaDeviceSynchronize());
        },
        reads);
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
        int* const fresh = managed(bytes);
        times.push_back(microseconds([&] { write<<<blocks, kThreads>>>(fresh, count); }));
        check(cudaFree(fresh));
    }
    tell("write, nobody touched", bytes, times);
    writes();
    check(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    host_reads();
    tell("host reads back", bytes,
         {std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count()});
    check(cudaFree(words));
}

}  // namespace

int main() {
    int* sum = nullptr;
    check(cudaMalloc(&sum, sizeof *sum));
    std::printf("what,bytes,median_us,least_us,most_us\n");
    measure(
        "nothing", 0, [] {}, [] { nothing<<<1, 1>>>(); });
    measure(
        "__managed__, host writes", sizeof variable, [] { variable = 1; }, [] { set_variable<<<1, 1>>>(2); });
    measure(
        "__managed__, host reads", sizeof variable, [] { sink = variable; }, [] { set_variable<<<1, 1>>>(2); });
    measure(
        "__managed__, host does nothing", sizeof variable, [] {}, [] { set_variable<<<1, 1>>>(2); });
    measure(
        "__managed__, 1024 blocks", sizeof variable, [] { variable = 1; }, [] { set_variable<<<1024, kThreads>>>(2); });
    for (std::size_t bytes : {4096, 65536, 262144, 1 << 20, 2 << 20, 4 << 20, 8 << 20, 16 << 20})
        measure_bytes(bytes, sum);
    for (std::size_t few : {1, 2, 4, 8, 16}) {
        std::vector<int*> all(few);
        for (int*& each : all) each = managed(4096);
        measure(
            "one kernel each of N small ones", few * 4096,
            [&] {
                for (int* each : all) *each = 1;
            },
            [&] {
                for (int* each : all) set<<<1, 1>>>(each, 2);
            });
        for (int* each : all) check(cudaFree(each));
    }
    int* const words = managed(kMost);
    const std::size_t count = kMost / sizeof(int);
    const Step host_writes_pages = [&] {
        for (std::size_t i = 0; i < count; i += kPageInts) words[i] = 1;
    };
    measure("one thread, a word each 2 MB", kMost, host_writes_pages,
            [&] { walk<<<1, 1>>>(words, count, 512 << 10, sum); });
    measure("one thread, a word each 64 KB", kMost, host_writes_pages,
            [&] { walk<<<1, 1>>>(words, count, 16 << 10, sum); });
    measure("one thread, one word of 16 MB", kMost, host_writes_pages, [&] { set<<<1, 1>>>(words, 2); });
    measure(
        "the same, the host one word", kMost, [&] { words[0] = 1; }, [&] { set<<<1, 1>>>(words, 2); });
    check(cudaFree(words));
}

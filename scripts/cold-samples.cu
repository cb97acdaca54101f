// How one kernel's cold time depends on how it is taken: with what the caches are emptied, and how many runs are
// queued. nvcc -O3 -arch=native -o cold-samples scripts/cold-samples.cu && ./cold-samples >
// results/h200/cold-samples.csv
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t code) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "cold-samples: %s\n", cudaGetErrorString(code));
    std::exit(4);
}

__global__ void copy(const uint4* in, uint4* out, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) out[i] = in[i];
}

__global__ void read_zeros(uint4* zeros, std::size_t count) {
    unsigned any = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x)
        any |= zeros[i].x | zeros[i].y | zeros[i].z | zeros[i].w;
    if (any != 0) zeros[0].x = any;
}

enum class Emptied { by_fill, by_read, by_fill_and_read };
constexpr const char* kNames[] = {"filled", "read", "filled, then others read"};
constexpr int kSamples = 512;

class Stand {
public:
    Stand() {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        int l2 = 0;
        check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
        bytes_ = std::size_t{2} * static_cast<std::size_t>(l2);
        for (uint4*& zeros : zeros_) {
            check(cudaMalloc(&zeros, bytes_));
            check(cudaMemset(zeros, 0, bytes_));
        }
        for (cudaEvent_t& mark : marks_) check(cudaEventCreate(&mark));
    }

    /// Prints a line: microseconds of a copy of so many bytes, taken `batch` runs at a time.
    void take(int bytes, Emptied emptied, int batch) {
        uint4 *in = nullptr, *out = nullptr;
        check(cudaMalloc(&in, static_cast<std::size_t>(bytes)));
        check(cudaMalloc(&out, static_cast<std::size_t>(bytes)));
        check(cudaMemset(in, 1, static_cast<std::size_t>(bytes)));
        std::vector<float> times;
        while (times.size() < kSamples) {
            for (int run = 0; run < batch; ++run) queue(in, out, bytes / 16, emptied, run);
            check(cudaStreamSynchronize(stream_));
            for (int run = 0; run < batch; ++run) {
                times.emplace_back();
                check(cudaEventElapsedTime(&times.back(), marks_[2 * run], marks_[2 * run + 1]));
            }
        }
        std::sort(times.begin(), times.end());
        const auto at = [&](double share) { return 1000 * times[static_cast<std::size_t>(share * kSamples)]; };
        std::printf("%d,\"%s\",%d,%.2f,%.2f,%.2f,%.2f,%.2f\n", 2 * bytes, kNames[static_cast<int>(emptied)], batch,
                    at(0), at(0.1), at(0.5), at(0.75) - at(0.25), at(0.9));
        check(cudaFree(in));
        check(cudaFree(out));
    }

    static constexpr int kMostBatch = 64;

private:
    void queue(const uint4* in, uint4* out, int count, Emptied emptied, int run) {
        constexpr unsigned kThreads = 256, kReaders = 512;
        if (emptied != Emptied::by_read) check(cudaMemsetAsync(zeros_[0], 0, bytes_, stream_));
        if (emptied != Emptied::by_fill)
            read_zeros<<<kReaders, kReaders, 0, stream_>>>(zeros_[1], bytes_ / sizeof(uint4));
        check(cudaEventRecord(marks_[2 * run], stream_));
        copy<<<(static_cast<unsigned>(count) + kThreads - 1) / kThreads, kThreads, 0, stream_>>>(in, out, count);
        check(cudaEventRecord(marks_[2 * run + 1], stream_));
        check(cudaGetLastError());
    }

    cudaStream_t stream_{};
    std::size_t bytes_ = 0;
    uint4* zeros_[2] = {};
    cudaEvent_t marks_[2 * kMostBatch] = {};
};

int main() {
    Stand stand;
    std::puts("bytes moved,caches,runs queued,least us,10% us,median us,interquartile range us,90% us");
    for (const int bytes : {1 << 19, 1 << 22, 1 << 24})
        for (const Emptied emptied : {Emptied::by_fill, Emptied::by_read, Emptied::by_fill_and_read})
            for (const int batch : {1, 4, Stand::kMostBatch}) stand.take(bytes, emptied, batch);
}

// A GPU's streams for languages that call C: on the CUDA runtime, or on that of the simt device in a library for tests.
#include <algorithm>
#include <array>
#include <cstring>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <mutex>
#include <string>

#include "python/native/place.hpp"
#include "src/cuda/capture_mode.hpp"
#include "src/cuda/check.hpp"

namespace {
using namespace lanework;

#ifdef __NVCC__
constexpr DeviceKind kKind = DeviceKind::cuda;
#else
constexpr DeviceKind kKind = DeviceKind::simt;
#endif

// So many words are parameters of one launch: a kernel has 4 KiB of them, and a graph that captures it keeps them.
constexpr int kWordsAtOnce = 480;
struct Words {
    std::uint64_t at[kWordsAtOnce];
};

__global__ void write_words(const Words words, int count, std::uint64_t* out) {
    for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x)) out[k] = words.at[k];
}

struct Flags {
    bool of[3];
};

/// By one thread. lengths: `dimensions` of them instead of vectors.
template <class T>
__global__ void write_box(const T* cell, int dimensions, bool lengths, const Flags periodic, PeriodicBox* box) {
    PeriodicBox made{};
    for (int k = 0; k < 3; ++k) made.periodic[k] = periodic.of[k];
    for (int k = 0; k < dimensions; ++k)
        for (int axis = 0; axis < dimensions; ++axis)
            made.vectors[k][axis] = !lengths ? cell[k * dimensions + axis] : k == axis ? cell[k] : 0;
    *box = made;
}

/// Keeps memory that is given back: without it a pool returns it to the system at every wait, and taking it again takes
/// hundreds of microseconds. A threshold that somebody has set stays.
void keep_memory(int index) {
    constexpr std::uint64_t kKept = std::uint64_t{64} << 20;
    cudaMemPool_t pool = nullptr;
    std::uint64_t threshold = 0;
    LANEWORK_CHECK(cudaDeviceGetDefaultMemPool(&pool, index));
    LANEWORK_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    if (threshold != 0) return;
    threshold = kKept;
    LANEWORK_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
}

/// Opened at its first use and never closed: interpreters end in any order.
Device& device_of(int index) {
    constexpr int kMost = 64;
    static auto& devices = *new std::array<std::unique_ptr<Device>, kMost>;
    static auto& mutex = *new std::mutex;
    const std::lock_guard lock(mutex);
    auto& device = devices.at(static_cast<std::size_t>(std::min(index, kMost - 1)));
    if (!device) {
        device = open_device(kKind == DeviceKind::cuda ? "cuda:" + std::to_string(index) : std::string(name_of(kKind)));
        keep_memory(index);
    }
    return *device;
}

}  // namespace

namespace lanework::native {

FirstUses::FirstUses() noexcept : mode_before_(exchange_capture_mode(kRelaxedCapture)) {}
FirstUses::~FirstUses() { exchange_capture_mode(mode_before_); }

int gpu_count() { return availability(kKind).count; }

GpuStream::GpuStream(int device, void* stream) : stream_(stream) {
    cudaGetLastError();  // what failed in an earlier call was said there
    int current = 0;
    LANEWORK_CHECK(cudaGetDevice(&current));
    if (current != device) {
        LANEWORK_CHECK(cudaSetDevice(device));
        current_before_ = current;
    }
    device_ = &device_of(device);
}

GpuStream::~GpuStream() {
    for (void* memory : memory_) cudaFreeAsync(memory, static_cast<cudaStream_t>(stream_));
    if (current_before_ >= 0) cudaSetDevice(current_before_);
}

void* GpuStream::allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    void* memory = nullptr;
    LANEWORK_CHECK(cudaMallocAsync(&memory, bytes, static_cast<cudaStream_t>(stream_)));
    return memory_.emplace_back(memory);
}

void GpuStream::write(void* gpu, const void* values, std::size_t bytes) {
    const std::size_t words = (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    auto* const copies = static_cast<std::uint64_t*>(gpu);
    constexpr int kThreads = 128;
    for (std::size_t first = 0; first < words; first += kWordsAtOnce) {
        const std::size_t count = std::min<std::size_t>(words - first, kWordsAtOnce),
                          before = first * sizeof(Words::at[0]);
        Words some{};
        std::memcpy(some.at, static_cast<const std::byte*>(values) + before,
                    std::min(bytes - before, count * sizeof(std::uint64_t)));
        write_words<<<1, kThreads, 0, static_cast<cudaStream_t>(stream_)>>>(some, static_cast<int>(count),
                                                                            copies + first);
        LANEWORK_CHECK(cudaGetLastError());
    }
}

void GpuStream::read(void* host, const void* gpu, std::size_t bytes) const {
    const auto stream = static_cast<cudaStream_t>(stream_);
    if (bytes > 0) LANEWORK_CHECK(cudaMemcpyAsync(host, gpu, bytes, cudaMemcpyDeviceToHost, stream));
    LANEWORK_CHECK(cudaStreamSynchronize(stream));
}

void GpuStream::write_box_of_cell(const lanework_neighbor_request& request, PeriodicBox* box) {
    Flags periodic{};
    for (int k = 0; k < 3; ++k) periodic.of[k] = request.periodic[k] != 0;
    const auto stream = static_cast<cudaStream_t>(stream_);
    if (request.cell_is_double)
        write_box<<<1, 1, 0, stream>>>(static_cast<const double*>(request.cell), request.dimensions,
                                       request.cell_is_lengths != 0, periodic, box);
    else
        write_box<<<1, 1, 0, stream>>>(static_cast<const float*>(request.cell), request.dimensions,
                                       request.cell_is_lengths != 0, periodic, box);
    LANEWORK_CHECK(cudaGetLastError());
}

bool GpuStream::is_captured() const {
    cudaStreamCaptureStatus status{};
    LANEWORK_CHECK(cudaStreamIsCapturing(static_cast<cudaStream_t>(stream_), &status));
    return status != cudaStreamCaptureStatusNone;
}

void GpuStream::require_no_capture(std::string_view what) const {
    if (is_captured()) throw UsageError("the stream is being captured, and this waits for " + std::string(what));
}

StreamOrder::StreamOrder() {
    cudaEvent_t event = nullptr;
    LANEWORK_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    event_ = event;
}
StreamOrder::~StreamOrder() { cudaEventDestroy(static_cast<cudaEvent_t>(event_)); }
void StreamOrder::enter(Stream stream) {
    LANEWORK_CHECK(
        cudaStreamWaitEvent(static_cast<cudaStream_t>(stream.handle()), static_cast<cudaEvent_t>(event_), 0));
}
void StreamOrder::leave(Stream stream) {
    LANEWORK_CHECK(cudaEventRecord(static_cast<cudaEvent_t>(event_), static_cast<cudaStream_t>(stream.handle())));
}

}  // namespace lanework::native

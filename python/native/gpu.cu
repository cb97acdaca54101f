// A GPU's streams for languages that call C: on the CUDA runtime, or on that of the simt device in a library for tests.
#include <algorithm>
#include <array>
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

// So many places are parameters of one launch: a kernel has 4 KiB of them, and a graph that captures it keeps them.
constexpr int kPlacesAtOnce = 128;
struct Places {
    ImagePlace at[kPlacesAtOnce];
};

__global__ void write_places(const Places places, int count, ImagePlace* out) {
    const int k = static_cast<int>(threadIdx.x);
    if (k < count) out[k] = places.at[k];
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

const ImagePlace* GpuStream::copy(std::span<const ImagePlace> places) {
    auto* const copies = static_cast<ImagePlace*>(allocate(places.size_bytes()));
    for (std::size_t first = 0; first < places.size(); first += kPlacesAtOnce) {
        const std::size_t count = std::min<std::size_t>(places.size() - first, kPlacesAtOnce);
        Places some;
        std::copy_n(places.data() + first, count, some.at);
        write_places<<<1, kPlacesAtOnce, 0, static_cast<cudaStream_t>(stream_)>>>(some, static_cast<int>(count),
                                                                                  copies + first);
        LANEWORK_CHECK(cudaGetLastError());
    }
    return copies;
}

}  // namespace lanework::native

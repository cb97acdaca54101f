// The builder of one kind of device.
#include "src/particles/device/launches.hpp"

namespace {
using namespace lanework;

template <class T>
void count(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceNeighborList<T>& list, void* memory,
           void* stream) {
    launch_count(p, request, list, memory, static_cast<cudaStream_t>(stream));
}

template <class T>
void fill(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceNeighborList<T>& list, void* memory,
          void* stream) {
    launch_fill(p, request, list, memory, static_cast<cudaStream_t>(stream));
}

std::size_t free_memory() {
    std::size_t free = 0, total = 0;
    LANEWORK_CHECK(cudaMemGetInfo(&free, &total));
    return free;
}

template <class T>
constexpr DeviceBuilder<T> kBuilder{device_workspace<T>, count<T>, fill<T>, free_memory};
}  // namespace

#define LANEWORK_BUILDER_NAME_OF(device, type) lanework_neighbors_##device##_##type
#define LANEWORK_BUILDER_NAME(device, type) LANEWORK_BUILDER_NAME_OF(device, type)
#define LANEWORK_DEFINE_BUILDER(type)                                              \
    extern const DeviceBuilder<type> LANEWORK_BUILDER_NAME(LANEWORK_DEVICE, type); \
    constinit const DeviceBuilder<type> LANEWORK_BUILDER_NAME(LANEWORK_DEVICE, type) = kBuilder<type>;
LANEWORK_DEFINE_BUILDER(float)
LANEWORK_DEFINE_BUILDER(double)

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

template <class T>
void pad(const DeviceNeighborList<T>& list, void* stream) {
    launch_pad(list, static_cast<cudaStream_t>(stream));
}

template <class T>
void remember(const DeviceParticles<T>& p, const DeviceWideList<T>& wide, void* stream) {
    launch_remember(p, wide, static_cast<cudaStream_t>(stream));
}

template <class T>
void count_within(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceWideList<T>& wide,
                  const DeviceNeighborList<T>& list, void* memory, void* stream) {
    launch_count_within(p, request, wide, list, memory, static_cast<cudaStream_t>(stream));
}

template <class T>
void fill_within(const DeviceParticles<T>& p, const DeviceRequest& request, const DeviceWideList<T>& wide,
                 const DeviceNeighborList<T>& list, void* stream) {
    launch_fill_within(p, request, wide, list, static_cast<cudaStream_t>(stream));
}

template <class T>
void count_kept(const DeviceParticles<T>& p, const DeviceRequest& wide_request, const DeviceRequest& request,
                const DeviceWideList<T>& wide, DeviceSkin* skin, const DeviceNeighborList<T>& list, void* memory,
                void* stream) {
    launch_count_kept(p, wide_request, request, wide, skin, list, memory, static_cast<cudaStream_t>(stream));
}

NeighborStatus read_status(const NeighborStatus* status, void* stream) {
    NeighborStatus found{};
    LANEWORK_CHECK(
        cudaMemcpyAsync(&found, status, sizeof found, cudaMemcpyDeviceToHost, static_cast<cudaStream_t>(stream)));
    LANEWORK_CHECK(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
    return found;
}

std::size_t free_memory() {
    std::size_t free = 0, total = 0;
    LANEWORK_CHECK(cudaMemGetInfo(&free, &total));
    return free;
}

template <class T>
constexpr DeviceBuilder<T> kBuilder{.workspace = device_workspace<T>,
                                    .count = count<T>,
                                    .fill = fill<T>,
                                    .pad = pad<T>,
                                    .remember = remember<T>,
                                    .count_within = count_within<T>,
                                    .fill_within = fill_within<T>,
                                    .count_kept = count_kept<T>,
                                    .read = read_status,
                                    .free_memory = free_memory};
}  // namespace

#define LANEWORK_BUILDER_NAME_OF(device, type) lanework_neighbors_##device##_##type
#define LANEWORK_BUILDER_NAME(device, type) LANEWORK_BUILDER_NAME_OF(device, type)
#define LANEWORK_DEFINE_BUILDER(type)                                              \
    extern const DeviceBuilder<type> LANEWORK_BUILDER_NAME(LANEWORK_DEVICE, type); \
    constinit const DeviceBuilder<type> LANEWORK_BUILDER_NAME(LANEWORK_DEVICE, type) = kBuilder<type>;
LANEWORK_DEFINE_BUILDER(float)
LANEWORK_DEFINE_BUILDER(double)

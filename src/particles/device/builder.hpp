// What one kind of device offers to build lists: the same sources, compiled for GPUs and for simt.
#pragma once

#include <lanework/neighbors.hpp>

namespace lanework {

/// What a list is asked for, as kernels take it.
struct DeviceRequest {
    double cutoff;
    bool half;
    std::int32_t nearest;  ///< of each atom's neighbours; 0: all
};

template <class T>
struct DeviceBuilder {
    std::size_t (*workspace)(const DeviceParticles<T>&);
    /// Both launch on the stream and return; `workspace` has the bytes that were asked for.
    void (*count)(const DeviceParticles<T>&, const DeviceRequest&, const DeviceNeighborList<T>&, void* workspace,
                  void* stream);
    void (*fill)(const DeviceParticles<T>&, const DeviceRequest&, const DeviceNeighborList<T>&, void* workspace,
                 void* stream);
    /// Bytes that can be allocated on the current device.
    std::size_t (*free_memory)();
};

/// The builder of a kind of device, or null where there is none in this build.
template <class T>
const DeviceBuilder<T>* device_builder(DeviceKind kind);

}  // namespace lanework

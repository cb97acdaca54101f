// What one kind of device offers to build lists: the same sources, compiled for GPUs and for simt.
#pragma once

#include <lanework/neighbors.hpp>

namespace lanework {

/// What a list is asked for, as kernels take it.
struct DeviceRequest {
    double cutoff;
    bool half;
    std::int32_t nearest;  ///< of each atom's neighbours; 0: all
    const std::int32_t* wanted =
        nullptr;          ///< in the device's memory: 0 where kernels are to return at once; null: never
    bool padded = false;  ///< the fill also writes what lies behind the last pair; not of a list that is not wanted
};

/// A wide list, from which narrower ones are taken while its atoms move.
template <class T>
struct DeviceWideList {
    DeviceNeighborList<T> list;  ///< filled to cutoff + skin, with indices and shifts
    T* positions = nullptr;      ///< those that it was built for
    PeriodicBox* box = nullptr;  ///< and theirs; null: open space
    double skin = 0;
};

/// What is known of a wide list that the device alone keeps, in its memory.
struct DeviceSkin {
    std::int32_t wanted;  ///< not 0: it is to be built
    std::int32_t valid;   ///< not 0: it is there
    std::int64_t builds;  ///< how often it was built
};

template <class T>
struct DeviceBuilder {
    std::size_t (*workspace)(const DeviceParticles<T>&);
    /// Both launch on the stream and return; `workspace` has the bytes that were asked for.
    void (*count)(const DeviceParticles<T>&, const DeviceRequest&, const DeviceNeighborList<T>&, void* workspace,
                  void* stream);
    void (*fill)(const DeviceParticles<T>&, const DeviceRequest&, const DeviceNeighborList<T>&, void* workspace,
                 void* stream);
    /// Fills what lies behind the last pair.
    void (*pad)(const DeviceNeighborList<T>&, void* stream);
    /// Copies the positions and the box of the particles into the wide list's.
    void (*remember)(const DeviceParticles<T>&, const DeviceWideList<T>&, void* stream);
    /// As count and fill, of what is left of a wide list; where that is out of date, the status is not ok: bad_atom is
    /// the first atom that has moved too far, bad_system is 0 for another box.
    void (*count_within)(const DeviceParticles<T>&, const DeviceRequest&, const DeviceWideList<T>&,
                         const DeviceNeighborList<T>&, void* workspace, void* stream);
    void (*fill_within)(const DeviceParticles<T>&, const DeviceRequest&, const DeviceWideList<T>&,
                        const DeviceNeighborList<T>&, void* stream);
    /// As count_within, with the wide list built before, as `wide_request` asks for it, where the device decides so. A
    /// wide list that its room is too small for is none, and status->pairs is then what that has.
    void (*count_kept)(const DeviceParticles<T>&, const DeviceRequest& wide_request, const DeviceRequest&,
                       const DeviceWideList<T>&, DeviceSkin*, const DeviceNeighborList<T>&, void* workspace,
                       void* stream);
    /// Waits for the stream, and copies a status to the host.
    NeighborStatus (*read)(const NeighborStatus*, void* stream);
    /// Bytes that can be allocated on the current device.
    std::size_t (*free_memory)();
};

/// The builder of a kind of device, or null where there is none in this build.
template <class T>
const DeviceBuilder<T>* device_builder(DeviceKind kind);

}  // namespace lanework

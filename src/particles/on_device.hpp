// Particles and lists in the memory of a device, and their ways there and back.
#pragma once

#include <lanework/device_array.hpp>
#include <lanework/neighbors.hpp>

namespace lanework {

/// Particles in a device's memory, with the cutoffs of their types.
template <class T>
class ParticlesOnDevice {
public:
    ParticlesOnDevice(Device& device, const Particles<T>& particles, const std::vector<double>& pair_cutoffs);

    const DeviceParticles<T>& view() const { return view_; }
    std::size_t bytes() const;
    /// Copies other particles of the same shape there.
    void upload(const Particles<T>& particles) const;

private:
    DeviceArray<T> positions_, pair_cutoffs_;
    DeviceArray<PeriodicBox> boxes_;
    DeviceArray<std::int64_t> systems_;
    DeviceArray<std::int32_t> types_;
    DeviceParticles<T> view_;
};

/// A list in a device's memory, and the workspace that it is built with. The particles must outlive it.
template <class T>
class ListOnDevice {
public:
    /// Without room for pairs.
    ListOnDevice(Device& device, const DeviceParticles<T>& particles, const NeighborOptions& options);
    /// Makes room for so many pairs and what the options want of each.
    void allocate(std::uint64_t pairs);

    void enqueue_count() const;
    void enqueue_fill() const;
    /// Waits, and reads what the count has found.
    NeighborStatus status() const;
    /// Copies to a list that has these sizes.
    void download_offsets(NeighborArray<std::int64_t>& offsets) const {
        offsets_.download({offsets.data(), offsets.size()});
    }
    void download_pairs(NeighborList<T>& list) const;

    /// Everything that it has, for evicting.
    std::vector<std::pair<const void*, std::size_t>> ranges() const;

private:
    Device& device_;
    DeviceParticles<T> particles_;
    NeighborOptions options_;
    DeviceMemory workspace_;
    DeviceArray<std::int64_t> offsets_;
    DeviceArray<NeighborStatus> status_;
    DeviceArray<std::int32_t> first_, indices_;
    DeviceArray<CellShift> shifts_;
    DeviceArray<DistanceVector<T>> vectors_;
    DeviceArray<T> distances_;
    DeviceNeighborList<T> view_;
};

}  // namespace lanework

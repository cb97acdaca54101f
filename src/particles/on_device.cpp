// Allocating on a device, and copying there and back.
#include "src/particles/on_device.hpp"

#include <cmath>

namespace lanework {

template <class T>
ParticlesOnDevice<T>::ParticlesOnDevice(Device& device, const Particles<T>& particles,
                                        const std::vector<double>& pair_cutoffs)
    : positions_(device, particles.positions), boxes_(device, particles.boxes), systems_(device, particles.systems) {
    view_ = {positions_.data(), particles.atoms(), particles.dimensions, boxes_.data(), systems_.data()};
    if (!particles.systems.empty()) view_.system_count = static_cast<std::int64_t>(particles.systems.size()) - 1;
    if (pair_cutoffs.empty()) return;
    const std::vector<T> lengths(pair_cutoffs.begin(), pair_cutoffs.end());
    pair_cutoffs_ = {device, std::span<const T>(lengths)};
    types_ = {device, particles.types};
    view_.types = types_.data();
    view_.pair_cutoffs = pair_cutoffs_.data();
    view_.type_count = static_cast<std::int32_t>(std::lround(std::sqrt(static_cast<double>(lengths.size()))));
}

template <class T>
std::size_t ParticlesOnDevice<T>::bytes() const {
    return positions_.bytes() + boxes_.bytes() + systems_.bytes() + types_.bytes() + pair_cutoffs_.bytes();
}

template <class T>
void ParticlesOnDevice<T>::upload(const Particles<T>& particles) const {
    positions_.upload(particles.positions);
    boxes_.upload(particles.boxes);
    systems_.upload(particles.systems);
    if (types_.size() > 0) types_.upload(particles.types);  // read with pair_cutoffs alone
}

template <class T>
ListOnDevice<T>::ListOnDevice(Device& device, const DeviceParticles<T>& particles, const NeighborOptions& options)
    : device_(device),
      particles_(particles),
      options_(options),
      workspace_(device.allocate(neighbor_workspace(particles))),
      offsets_(device, particles.atoms + 1),
      status_(device, 1) {
    view_ = {.offsets = offsets_.data(), .status = status_.data()};
}

template <class T>
void ListOnDevice<T>::allocate(std::uint64_t pairs) {
    const auto size = static_cast<std::int64_t>(pairs);
    first_ = {device_, options_.first ? size : 0};
    indices_ = {device_, size};
    shifts_ = {device_, options_.shifts ? size : 0};
    vectors_ = {device_, options_.vectors ? size : 0};
    distances_ = {device_, options_.distances ? size : 0};
    view_.capacity = size;
    view_.first = first_.data();
    view_.indices = indices_.data();
    view_.shifts = shifts_.data();
    view_.vectors = vectors_.data();
    view_.distances = distances_.data();
}

template <class T>
void ListOnDevice<T>::enqueue_count() const {
    enqueue_neighbor_count(particles_, options_, view_, {workspace_.data(), workspace_.bytes()}, device_);
}

template <class T>
void ListOnDevice<T>::enqueue_fill() const {
    enqueue_neighbor_fill(particles_, options_, view_, {workspace_.data(), workspace_.bytes()}, device_);
}

template <class T>
NeighborStatus ListOnDevice<T>::status() const {
    device_.synchronize();
    NeighborStatus status{};
    status_.download({&status, 1});
    return status;
}

template <class T>
void ListOnDevice<T>::download_pairs(NeighborList<T>& list) const {
    first_.download({list.first.data(), list.first.size()});
    indices_.download({list.indices.data(), list.indices.size()});
    shifts_.download({list.shifts.data(), list.shifts.size()});
    vectors_.download({list.vectors.data(), list.vectors.size()});
    distances_.download({list.distances.data(), list.distances.size()});
}

template <class T>
std::vector<std::pair<const void*, std::size_t>> ListOnDevice<T>::ranges() const {
    std::vector<std::pair<const void*, std::size_t>> ranges = {{workspace_.data(), workspace_.bytes()}};
    const auto add = [&](const auto& array) {
        if (array.bytes() > 0) ranges.emplace_back(array.data(), array.bytes());
    };
    add(offsets_), add(first_), add(indices_), add(shifts_), add(vectors_), add(distances_);
    ranges.emplace_back(particles_.positions,
                        static_cast<std::size_t>(particles_.atoms * particles_.dimensions) * sizeof(T));
    return ranges;
}

template class ParticlesOnDevice<float>;
template class ParticlesOnDevice<double>;
template class ListOnDevice<float>;
template class ListOnDevice<double>;

}  // namespace lanework

// Allocating on a device, and copying there and back.
#include "src/particles/on_device.hpp"

#include <cmath>

namespace lanework {

template <class T>
ParticlesOnDevice<T>::ParticlesOnDevice(Device& device, const Particles<T>& particles,
                                        const std::vector<double>& pair_cutoffs)
    : positions_(device, particles.positions), boxes_(device, particles.boxes), systems_(device, particles.systems) {
    view_ = {positions_.get(), particles.atoms(), particles.dimensions, boxes_.get(), systems_.get()};
    if (!particles.systems.empty()) view_.system_count = static_cast<std::int64_t>(particles.systems.size()) - 1;
    if (pair_cutoffs.empty()) return;
    const std::vector<T> lengths(pair_cutoffs.begin(), pair_cutoffs.end());
    pair_cutoffs_ = {device, std::span<const T>(lengths)};
    types_ = {device, particles.types};
    view_.types = types_.get();
    view_.pair_cutoffs = pair_cutoffs_.get();
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
    types_.upload(particles.types);
}

template <class T>
ListOnDevice<T>::ListOnDevice(Device& device, const DeviceParticles<T>& particles, const NeighborOptions& options)
    : device_(device),
      particles_(particles),
      options_(options),
      workspace_(device.allocate(neighbor_workspace(particles))),
      offsets_(device, static_cast<std::size_t>(particles.atoms) + 1),
      status_(device, 1) {
    view_ = {.offsets = offsets_.get(), .status = status_.get()};
}

template <class T>
void ListOnDevice<T>::allocate(std::uint64_t pairs) {
    const auto size = static_cast<std::size_t>(pairs);
    first_ = {device_, options_.first ? size : 0};
    indices_ = {device_, size};
    shifts_ = {device_, options_.shifts ? size : 0};
    vectors_ = {device_, options_.vectors ? size : 0};
    distances_ = {device_, options_.distances ? size : 0};
    view_.capacity = static_cast<std::int64_t>(pairs);
    view_.first = first_.get();
    view_.indices = indices_.get();
    view_.shifts = shifts_.get();
    view_.vectors = vectors_.get();
    view_.distances = distances_.get();
}

template <class T>
void ListOnDevice<T>::enqueue_count() const {
    enqueue_neighbor_count(device_, particles_, options_, view_, workspace_.data(), workspace_.bytes(),
                           device_.stream());
}

template <class T>
void ListOnDevice<T>::enqueue_fill() const {
    enqueue_neighbor_fill(device_, particles_, options_, view_, workspace_.data(), workspace_.bytes(),
                          device_.stream());
}

template <class T>
NeighborStatus ListOnDevice<T>::status() const {
    device_.synchronize();
    NeighborStatus status{};
    status_.download(&status);
    return status;
}

template <class T>
void ListOnDevice<T>::download_pairs(NeighborList<T>& list) const {
    first_.download(list.first.data());
    indices_.download(list.indices.data());
    shifts_.download(list.shifts.data());
    vectors_.download(list.vectors.data());
    distances_.download(list.distances.data());
}

template <class T>
std::vector<std::pair<const void*, std::size_t>> ListOnDevice<T>::ranges() const {
    std::vector<std::pair<const void*, std::size_t>> ranges = {{workspace_.data(), workspace_.bytes()}};
    const auto add = [&](const auto& array) {
        if (array.bytes() > 0) ranges.emplace_back(array.get(), array.bytes());
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

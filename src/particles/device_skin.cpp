// Lists with a skin that stay in a device's memory: whether they must be built again is decided there, and read.
#include <fmt/format.h>

#include <algorithm>

#include "src/core/launch.hpp"
#include "src/particles/checks.hpp"
#include "src/particles/device_checks.hpp"
#include "src/particles/on_device.hpp"

namespace lanework {

namespace {

/// Of each pair of the wide list what a narrower one is made of.
template <class T>
NeighborOptions wide_options_on_device(const NeighborOptions& options, double skin) {
    NeighborOptions wide = checked_wide_options<T>(options, skin);
    wide.first = wide.vectors = wide.distances = false;
    return wide;
}

template <class T>
void require_one_system(const DeviceParticles<T>& particles) {
    if (particles.systems || particles.pair_cutoffs)
        throw UsageError("a list with a skin is of one system, with one cutoff: leave out systems and pair_cutoffs");
}

}  // namespace

template <class T>
struct DeviceSkinnedNeighbors<T>::State {
    Device& device;
    const DeviceBuilder<T>& builder;
    NeighborOptions options, wide_options;
    double skin;
    bool built = false;
    std::int64_t builds = 0;
    std::int64_t atoms = 0;
    int dimensions = 3;
    DeviceArray<std::int64_t> offsets = {};
    DeviceArray<NeighborStatus> status = {};
    DeviceArray<std::int32_t> indices = {};
    DeviceArray<CellShift> shifts = {};
    DeviceArray<T> positions = {};
    DeviceArray<PeriodicBox> box = {};
    DeviceArray<std::byte> workspace = {};

    static DeviceRequest request_of(const NeighborOptions& options) {
        return {.cutoff = options.cutoff, .half = options.half, .nearest = 0};
    }
    DeviceWideList<T> wide() const {
        DeviceNeighborList<T> list;
        list.offsets = offsets.data();
        list.status = status.data();
        list.capacity = indices.size();
        list.indices = indices.data();
        list.shifts = shifts.data();
        return {list, positions.data(), box.data(), skin};
    }
    bool is_of(const DeviceParticles<T>& p) const {
        return built && p.atoms == atoms && p.dimensions == dimensions && (p.boxes != nullptr) == (box.size() > 0);
    }

    /// Room for what does not depend on the number of pairs.
    void make_room(const DeviceParticles<T>& p) {
        const auto ensure = [&](auto& array, std::int64_t count) {
            if (array.size() != count) array = {}, array = {device, count};
        };
        ensure(offsets, p.atoms + 1);
        ensure(status, 1);
        ensure(positions, p.atoms * p.dimensions);
        ensure(box, p.boxes ? 1 : 0);
        ensure(workspace, static_cast<std::int64_t>(neighbor_workspace(p)));
    }
    /// Room for so many pairs, and for an eighth more where there is the memory: atoms that move find others.
    void make_room_for_pairs(std::uint64_t pairs) {
        if (pairs <= static_cast<std::uint64_t>(indices.size())) return;
        indices = {}, shifts = {};
        const std::uint64_t free = builder.free_memory(), some_more = pairs + pairs / 8;
        const auto bytes = [&](std::uint64_t count) {
            return list_bytes<T>(wide_options, static_cast<std::uint64_t>(atoms), count);
        };
        const std::uint64_t most = wide_options.memory_limit > 0 ? std::min(wide_options.memory_limit, free) : free;
        if (bytes(pairs) > most) throw NeighborMemoryError(pairs, bytes(pairs), most);
        const auto count = static_cast<std::int64_t>(bytes(some_more) <= most ? some_more : pairs);
        indices = {device, count};
        shifts = {device, count};
    }

    /// The status of the wide list; ok once it is built.
    NeighborStatus build(const DeviceParticles<T>& p, void* stream) {
        built = false;
        atoms = p.atoms;
        dimensions = p.dimensions;
        make_room(p);
        builder.count(p, request_of(wide_options), wide().list, workspace.data(), stream);
        const NeighborStatus counted = builder.read(status.data(), stream);
        if (!counted.ok()) return counted;
        make_room_for_pairs(counted.pairs);
        builder.fill(p, request_of(wide_options), wide().list, workspace.data(), stream);
        builder.remember(p, wide(), stream);
        built = true;
        ++builds;
        return counted;
    }
};

template <class T>
DeviceSkinnedNeighbors<T>::DeviceSkinnedNeighbors(Device& device, const NeighborOptions& options, double skin)
    : state_(new State{.device = device,
                       .builder = builder_of<T>(device.info().kind),
                       .options = options,
                       .wide_options = wide_options_on_device<T>(options, skin),
                       .skin = skin}) {}

template <class T>
DeviceSkinnedNeighbors<T>::~DeviceSkinnedNeighbors() = default;

template <class T>
NeighborStatus DeviceSkinnedNeighbors<T>::count(const DeviceParticles<T>& particles, const DeviceNeighborList<T>& list,
                                                Stream stream) {
    State& own = *state_;
    check_device_particles(particles);
    check_device_list(list);
    require_one_system(particles);
    const image::FirstUses first_uses({own.device, stream});
    const DeviceRequest request = State::request_of(own.options);
    const auto count_within = [&] {
        own.builder.count_within(particles, request, own.wide(), list, own.workspace.data(), stream.handle());
        return own.builder.read(list.status, stream.handle());
    };
    if (own.is_of(particles))
        if (const NeighborStatus found = count_within(); found.ok()) return found;
    if (const NeighborStatus wide = own.build(particles, stream.handle()); !wide.ok()) return wide;
    return count_within();
}

template <class T>
void DeviceSkinnedNeighbors<T>::enqueue_fill(const DeviceParticles<T>& particles, const DeviceNeighborList<T>& list,
                                             Stream stream) {
    State& own = *state_;
    check_device_particles(particles);
    check_device_list(list);
    if (!own.is_of(particles)) throw UsageError("the list is not that of these particles: call count() first");
    const image::FirstUses first_uses({own.device, stream});
    own.builder.fill_within(particles, State::request_of(own.options), own.wide(), list, stream.handle());
}

template <class T>
std::int64_t DeviceSkinnedNeighbors<T>::builds() const {
    return state_->builds;
}

template <class T>
struct CapturableSkinnedNeighbors<T>::State {
    Device& device;
    const DeviceBuilder<T>& builder;
    NeighborOptions options, wide_options;
    std::int64_t atoms;
    int dimensions;
    DeviceWideList<T> wide = {};
    DeviceArray<std::int64_t> offsets = {};
    DeviceArray<NeighborStatus> status = {};
    DeviceArray<std::int32_t> indices = {};
    DeviceArray<CellShift> shifts = {};
    DeviceArray<T> positions = {};
    DeviceArray<PeriodicBox> box = {};
    DeviceArray<std::byte> workspace = {};
    DeviceArray<DeviceSkin> skin = {};

    void take_memory(const DeviceParticles<T>& p, double width, std::int64_t room) {
        const auto take = [&](auto& array, std::int64_t count) {
            array = {device, count};
            return array.data();
        };
        wide.list.offsets = take(offsets, p.atoms + 1);
        wide.list.status = take(status, 1);
        wide.list.capacity = room;
        wide.list.indices = take(indices, room);
        wide.list.shifts = take(shifts, room);
        wide.positions = take(positions, p.atoms * p.dimensions);
        wide.box = take(box, p.boxes ? 1 : 0);
        wide.skin = width;
        take(workspace, static_cast<std::int64_t>(neighbor_workspace(p)));
        const DeviceSkin none{};
        skin = {device, std::span<const DeviceSkin>(&none, 1)};
    }
};

template <class T>
CapturableSkinnedNeighbors<T>::CapturableSkinnedNeighbors(Device& device, const NeighborOptions& options, double skin,
                                                          const DeviceParticles<T>& particles, std::int64_t room)
    : state_(new State{.device = device,
                       .builder = builder_of<T>(device.info().kind),
                       .options = options,
                       .wide_options = wide_options_on_device<T>(options, skin),
                       .atoms = particles.atoms,
                       .dimensions = particles.dimensions}) {
    check_device_particles(particles);
    require_one_system(particles);
    if (room < 0) throw UsageError(fmt::format("there is room for {} pairs; 0 or more is right", room));
    const std::uint64_t bytes = list_bytes<T>(state_->wide_options, static_cast<std::uint64_t>(particles.atoms),
                                              static_cast<std::uint64_t>(room));
    if (options.memory_limit > 0 && bytes > options.memory_limit)
        throw NeighborMemoryError(static_cast<std::uint64_t>(room), bytes, options.memory_limit);
    state_->take_memory(particles, skin, room);
}

template <class T>
CapturableSkinnedNeighbors<T>::~CapturableSkinnedNeighbors() = default;

template <class T>
void CapturableSkinnedNeighbors<T>::enqueue(const DeviceParticles<T>& particles, const DeviceNeighborList<T>& list,
                                            Stream stream) {
    const State& own = *state_;
    check_device_particles(particles);
    check_device_list(list);
    require_one_system(particles);
    if (particles.atoms != own.atoms || particles.dimensions != own.dimensions ||
        (particles.boxes != nullptr) != (own.box.size() > 0))
        throw UsageError(fmt::format("the list is for {} atoms in {} dimensions, {}; make another for others",
                                     own.atoms, own.dimensions, own.box.size() > 0 ? "in a box" : "in open space"));
    if (list.capacity > own.wide.list.capacity)
        throw UsageError(fmt::format("the list's capacity is {}; at most that of the wide list, {}, is right",
                                     list.capacity, own.wide.list.capacity));
    const image::FirstUses first_uses({own.device, stream});
    const DeviceRequest request{.cutoff = own.options.cutoff, .half = own.options.half, .nearest = 0},
        wide_request{.cutoff = own.wide_options.cutoff, .half = own.wide_options.half, .nearest = 0};
    own.builder.count_kept(particles, wide_request, request, own.wide, own.skin.data(), list, own.workspace.data(),
                           stream.handle());
    own.builder.fill_within(particles, request, own.wide, list, stream.handle());
}

template <class T>
std::int64_t CapturableSkinnedNeighbors<T>::builds() const {
    return state_->skin.to_host().front().builds;
}

template class DeviceSkinnedNeighbors<float>;
template class DeviceSkinnedNeighbors<double>;
template class CapturableSkinnedNeighbors<float>;
template class CapturableSkinnedNeighbors<double>;

}  // namespace lanework

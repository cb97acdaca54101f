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

DeviceRequest request_of(const NeighborOptions& options) {
    return {.cutoff = options.cutoff, .half = options.half, .nearest = 0};
}

template <class T>
bool has_box(const DeviceParticles<T>& p) {
    return p.boxes || p.box != PeriodicBox::open();
}

/// The memory of a wide list, and of what it was built for.
template <class T>
struct WideMemory {
    Device& device;
    std::int64_t atoms = 0;
    int dimensions = 3;
    DeviceArray<std::int64_t> offsets = {};
    DeviceArray<NeighborStatus> status = {};
    DeviceArray<std::int32_t> indices = {};
    DeviceArray<CellShift> shifts = {};
    DeviceArray<T> positions = {};
    DeviceArray<PeriodicBox> box = {};
    DeviceArray<std::byte> workspace = {};

    DeviceWideList<T> list(double skin) const {
        DeviceNeighborList<T> list;
        list.offsets = offsets.data();
        list.status = status.data();
        list.capacity = indices.size();
        list.indices = indices.data();
        list.shifts = shifts.data();
        return {list, positions.data(), box.data(), skin};
    }
    bool is_of(const DeviceParticles<T>& p) const {
        return p.atoms == atoms && p.dimensions == dimensions && has_box(p) == (box.size() > 0);
    }

    /// For what does not depend on the number of pairs.
    void make_room(const DeviceParticles<T>& p) {
        const auto ensure = [&](auto& array, std::int64_t count) {
            if (array.size() != count) array = {}, array = {device, count};
        };
        atoms = p.atoms;
        dimensions = p.dimensions;
        ensure(offsets, p.atoms + 1);
        ensure(status, 1);
        ensure(positions, p.atoms * p.dimensions);
        ensure(box, has_box(p) ? 1 : 0);
        ensure(workspace, static_cast<std::int64_t>(neighbor_workspace(p)));
    }
    void make_room_for_pairs(std::int64_t pairs) {
        indices = {}, shifts = {};
        indices = {device, pairs};
        shifts = {device, pairs};
    }
};

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
    WideMemory<T> memory{device};
    bool built = false;
    std::int64_t builds = 0;

    DeviceWideList<T> wide() const { return memory.list(skin); }
    bool is_of(const DeviceParticles<T>& p) const { return built && memory.is_of(p); }

    /// Room for so many pairs, and for an eighth more where there is the memory: atoms that move find others.
    void make_room_for_pairs(std::uint64_t pairs) {
        if (pairs <= static_cast<std::uint64_t>(memory.indices.size())) return;
        memory.indices = {}, memory.shifts = {};
        const std::uint64_t free = builder.free_memory(), some_more = pairs + pairs / 8;
        const auto bytes = [&](std::uint64_t count) {
            return list_bytes<T>(wide_options, static_cast<std::uint64_t>(memory.atoms), count);
        };
        const std::uint64_t most = wide_options.memory_limit > 0 ? std::min(wide_options.memory_limit, free) : free;
        if (bytes(pairs) > most) throw NeighborMemoryError(pairs, bytes(pairs), most);
        memory.make_room_for_pairs(static_cast<std::int64_t>(bytes(some_more) <= most ? some_more : pairs));
    }

    /// The status of the wide list; ok once it is built.
    NeighborStatus build(const DeviceParticles<T>& p, void* stream) {
        built = false;
        memory.make_room(p);
        builder.count(p, request_of(wide_options), wide().list, memory.workspace.data(), stream);
        const NeighborStatus counted = builder.read(memory.status.data(), stream);
        if (!counted.ok()) return counted;
        make_room_for_pairs(counted.pairs);
        builder.fill(p, request_of(wide_options), wide().list, memory.workspace.data(), stream);
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
    const DeviceRequest request = request_of(own.options);
    const auto count_within = [&] {
        own.builder.count_within(particles, request, own.wide(), list, own.memory.workspace.data(), stream.handle());
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
    own.builder.fill_within(particles, request_of(own.options), own.wide(), list, stream.handle());
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
    double skin;
    WideMemory<T> memory{device};
    DeviceArray<DeviceSkin> known = {};

    void take_memory(const DeviceParticles<T>& p, std::int64_t room) {
        const DeviceSkin none{};
        memory.make_room(p);
        memory.make_room_for_pairs(room);
        known = {device, std::span<const DeviceSkin>(&none, 1)};
    }
};

template <class T>
CapturableSkinnedNeighbors<T>::CapturableSkinnedNeighbors(Device& device, const NeighborOptions& options, double skin,
                                                          const DeviceParticles<T>& particles, std::int64_t room)
    : state_(new State{.device = device,
                       .builder = builder_of<T>(device.info().kind),
                       .options = options,
                       .wide_options = wide_options_on_device<T>(options, skin),
                       .skin = skin}) {
    check_device_particles(particles);
    require_one_system(particles);
    if (room < 0) throw UsageError(fmt::format("there is room for {} pairs; 0 or more is right", room));
    const std::uint64_t bytes = list_bytes<T>(state_->wide_options, static_cast<std::uint64_t>(particles.atoms),
                                              static_cast<std::uint64_t>(room));
    if (options.memory_limit > 0 && bytes > options.memory_limit)
        throw NeighborMemoryError(static_cast<std::uint64_t>(room), bytes, options.memory_limit);
    state_->take_memory(particles, room);
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
    const WideMemory<T>& memory = own.memory;
    if (!memory.is_of(particles))
        throw UsageError(fmt::format("the list is for {} atoms in {} dimensions, {}; make another for others",
                                     memory.atoms, memory.dimensions,
                                     memory.box.size() > 0 ? "in a box" : "in open space"));
    if (list.capacity > memory.indices.size())
        throw UsageError(fmt::format("the list's capacity is {}; at most that of the wide list, {}, is right",
                                     list.capacity, memory.indices.size()));
    const image::FirstUses first_uses({own.device, stream});
    const DeviceRequest request = request_of(own.options);
    const DeviceWideList<T> wide = memory.list(own.skin);
    own.builder.count_kept(particles, request_of(own.wide_options), request, wide, own.known.data(), list,
                           memory.workspace.data(), stream.handle());
    own.builder.fill_within(particles, request, wide, list, stream.handle());
}

template <class T>
std::int64_t CapturableSkinnedNeighbors<T>::builds() const {
    return state_->known.to_host().front().builds;
}

template class DeviceSkinnedNeighbors<float>;
template class DeviceSkinnedNeighbors<double>;
template class CapturableSkinnedNeighbors<float>;
template class CapturableSkinnedNeighbors<double>;

}  // namespace lanework

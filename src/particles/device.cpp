// Lists on a device: from its memory to its memory, and from the host's to the host's.
#include <fmt/format.h>

#include <cmath>

#include "src/core/array_checks.hpp"
#include "src/core/launch.hpp"
#include "src/particles/cells.hpp"
#include "src/particles/device_checks.hpp"
#include "src/particles/least_pairs.hpp"
#include "src/particles/on_device.hpp"

namespace lanework {
namespace {

void require_workspace(const Workspace& workspace, std::size_t needed) {
    constexpr std::uintptr_t kAlignment = 64;
    if (workspace.bytes < needed)
        throw UsageError(fmt::format("the workspace has {} bytes; it must have {}", workspace.bytes, needed));
    image::require_array("neighbors", "workspace", static_cast<const std::byte*>(workspace.data), kAlignment);
}

template <class T>
DeviceRequest checked_request(const DeviceParticles<T>& particles, const NeighborOptions& options,
                              const DeviceNeighborList<T>& list, const Workspace& workspace) {
    check_device_particles(particles);
    check_cutoff<T>(options.cutoff);
    if (options.nearest < 0 || (options.nearest > 0 && options.half))
        throw UsageError(fmt::format("nearest is {}; it must be 0 or more, and 0 for a half list", options.nearest));
    check_device_list(list);
    require_workspace(workspace, neighbor_workspace(particles));
    return {.cutoff = options.cutoff, .half = options.half, .nearest = options.nearest};
}

/// Throws NeighborMemoryError when the list fits neither the options nor the device's free memory and the host's, of
/// which the simt device's is a part.
template <class T>
void check_device_memory(const NeighborOptions& options, std::uint64_t atoms, std::uint64_t pairs,
                         const DeviceBuilder<T>& builder, DeviceKind kind) {
    const std::uint64_t bytes = list_bytes<T>(options, atoms, pairs), free = builder.free_memory();
    if (bytes > free) throw NeighborMemoryError(pairs, bytes, free);
    check_memory<T>(options, atoms, {pairs}, kind == DeviceKind::simt ? bytes : 0);
}

template <class T>
NeighborList<T> build_on(Device& device, const DeviceBuilder<T>& builder, const Particles<T>& particles,
                         const NeighborOptions& options, double cutoff) {
    const ParticlesOnDevice<T> there(device, particles, options.pair_cutoffs);
    NeighborOptions one_cutoff = options;
    one_cutoff.cutoff = cutoff;
    ListOnDevice<T> list(device, there.view(), one_cutoff);
    list.enqueue_count();
    const NeighborStatus counted = list.status();
    if (!counted.ok()) refuse_build(particles, counted, cutoff);
    check_device_memory(options, static_cast<std::uint64_t>(particles.atoms()), counted.pairs, builder,
                        device.info().kind);
    NeighborArray<std::int64_t> offsets(static_cast<std::size_t>(particles.atoms()) + 1);
    list.download_offsets(offsets);
    NeighborList<T> result = allocate_list<T>(options, std::move(offsets));
    list.allocate(counted.pairs);
    list.enqueue_fill();
    device.synchronize();
    list.download_pairs(result);
    return result;
}

}  // namespace

template <class T>
void refuse_build(const Particles<T>& particles, const NeighborStatus& status, double cutoff) {
    if (status.bad_atom >= 0) refuse_atom(particles, status.bad_atom);
    const SystemRange system = systems_of(particles)[static_cast<std::size_t>(status.bad_system)];
    check_independent(system.box, status.bad_system);
    refuse_grid(particles, system, status.bad_system, cutoff);
}

template <class T>
const DeviceBuilder<T>& builder_of(DeviceKind kind) {
    if (const auto* builder = device_builder<T>(kind)) return *builder;
    throw UnavailableError(fmt::format(
        "{} has no memory of its own to build lists in; call neighbors() with a team of threads", name_of(kind)));
}

template <class T>
void check_device_particles(const DeviceParticles<T>& p) {
    constexpr std::int64_t kMostAtoms = std::int64_t{1} << 30;
    if (p.atoms < 0 || p.atoms > kMostAtoms)
        throw UsageError(fmt::format("there are {} atoms; a device takes from 0 to 2^30", p.atoms));
    if (p.dimensions != 2 && p.dimensions != 3)
        throw UsageError(fmt::format("the positions have {} dimensions; there are lists in 2 and in 3", p.dimensions));
    if (p.system_count < 1 || (p.system_count > 1 && !p.systems))
        throw UsageError(fmt::format("there are {} systems; give 1, or more with their offsets", p.system_count));
    if (p.atoms > 0) image::require_array("neighbors", "particles.positions", p.positions);
    if (p.pair_cutoffs) image::require_array("neighbors", "particles.pair_cutoffs", p.pair_cutoffs);
    if (p.pair_cutoffs && p.atoms > 0) image::require_array("neighbors", "particles.types", p.types);
}

template <class T>
void check_device_list(const DeviceNeighborList<T>& list) {
    const auto check = [](std::string_view name, const auto* array) {
        if (array) image::require_array("neighbors", name, array);
    };
    image::require_array("neighbors", "list.offsets", list.offsets);
    image::require_array("neighbors", "list.status", list.status);
    check("list.first", list.first);
    check("list.indices", list.indices);
    check("list.shifts", list.shifts);
    check("list.vectors", list.vectors);
    check("list.distances", list.distances);
    if (list.capacity < 0)
        throw UsageError(fmt::format("neighbors: list.capacity is {}; 0 or more is right", list.capacity));
}

template <class T>
NeighborList<T> neighbors(const Particles<T>& particles, const NeighborOptions& options, Device& device) {
    if (device.info().kind == DeviceKind::cpu)
        return neighbors(particles, options, *static_cast<const Team*>(device.stream()));
    Cutoffs<T> cutoffs = checked_cutoffs<T>(options);
    check_particles(particles, cutoffs.by_type ? cutoffs.types : 0);
    keep_present(cutoffs, particles);
    if (!(cutoffs.largest > 0)) return neighbors(particles, options, Team{1});  // nothing is near: nothing to compute
    refuse_hopeless(particles, cutoffs, options);
    return build_on(device, builder_of<T>(device.info().kind), particles, options, cutoffs.largest);
}

// Not in the file of the others: who keeps lists on the processor alone links no device.
template <class T>
bool SkinnedNeighbors<T>::update(const Particles<T>& particles, Device& device) {
    if (!needs_rebuild(particles)) return false;
    built_ = false;
    wide_ = neighbors(particles, wide_options_, device);
    remember(particles);
    return true;
}

template <class T>
std::size_t neighbor_workspace(const DeviceParticles<T>& particles) {
    check_device_particles(particles);
    for (const DeviceKind kind : {DeviceKind::cuda, DeviceKind::simt})
        if (const auto* builder = device_builder<T>(kind)) return builder->workspace(particles);  // the same for all
    throw UnavailableError("this build has no device with memory of its own");
}

template <class T>
void enqueue_neighbor_count(const DeviceParticles<T>& particles, const NeighborOptions& options,
                            const DeviceNeighborList<T>& list, const Workspace& workspace, Target target) {
    const DeviceBuilder<T>& builder = builder_of<T>(target.kind());
    const image::FirstUses first_uses(target);
    builder.count(particles, checked_request(particles, options, list, workspace), list, workspace.data,
                  target.stream());
}

template <class T>
void enqueue_neighbor_fill(const DeviceParticles<T>& particles, const NeighborOptions& options,
                           const DeviceNeighborList<T>& list, const Workspace& workspace, Target target) {
    const DeviceBuilder<T>& builder = builder_of<T>(target.kind());
    const image::FirstUses first_uses(target);
    builder.fill(particles, checked_request(particles, options, list, workspace), list, workspace.data,
                 target.stream());
}

template <class T>
void enqueue_neighbors(const DeviceParticles<T>& particles, const NeighborOptions& options,
                       const DeviceNeighborList<T>& list, const Workspace& workspace, Target target) {
    const DeviceBuilder<T>& builder = builder_of<T>(target.kind());
    const image::FirstUses first_uses(target);
    DeviceRequest request = checked_request(particles, options, list, workspace);
    request.padded = true;
    builder.count(particles, request, list, workspace.data, target.stream());
    builder.fill(particles, request, list, workspace.data, target.stream());
}

template <class T>
void enqueue_neighbor_padding(const DeviceNeighborList<T>& list, Target target) {
    const DeviceBuilder<T>& builder = builder_of<T>(target.kind());
    const image::FirstUses first_uses(target);
    check_device_list(list);
    builder.pad(list, target.stream());
}

#define LANEWORK_INSTANTIATE(T)                                                                                      \
    template const DeviceBuilder<T>& builder_of(DeviceKind);                                                         \
    template void check_device_particles(const DeviceParticles<T>&);                                                 \
    template void refuse_build(const Particles<T>&, const NeighborStatus&, double);                                  \
    template void check_device_list(const DeviceNeighborList<T>&);                                                   \
    template NeighborList<T> neighbors(const Particles<T>&, const NeighborOptions&, Device&);                        \
    template bool SkinnedNeighbors<T>::update(const Particles<T>&, Device&);                                         \
    template std::size_t neighbor_workspace(const DeviceParticles<T>&);                                              \
    template void enqueue_neighbor_count(const DeviceParticles<T>&, const NeighborOptions&,                          \
                                         const DeviceNeighborList<T>&, const Workspace&, Target);                    \
    template void enqueue_neighbor_fill(const DeviceParticles<T>&, const NeighborOptions&,                           \
                                        const DeviceNeighborList<T>&, const Workspace&, Target);                     \
    template void enqueue_neighbors(const DeviceParticles<T>&, const NeighborOptions&, const DeviceNeighborList<T>&, \
                                    const Workspace&, Target);                                                       \
    template void enqueue_neighbor_padding(const DeviceNeighborList<T>&, Target);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework

// Lists on a device: from its memory to its memory, and from the host's to the host's.
#include <fmt/format.h>

#include <cmath>

#include "src/particles/cells.hpp"
#include "src/particles/device/builder.hpp"
#include "src/particles/least_pairs.hpp"

// The builders of this build: src/particles/CMakeLists.txt says which there are.
#define LANEWORK_DECLARE_BUILDERS(device)                                            \
    extern const lanework::DeviceBuilder<float> lanework_neighbors_##device##_float; \
    extern const lanework::DeviceBuilder<double> lanework_neighbors_##device##_double;
#ifdef LANEWORK_PARTICLES_ON_CUDA
LANEWORK_DECLARE_BUILDERS(cuda)
#endif
#ifdef LANEWORK_PARTICLES_ON_SIMT
LANEWORK_DECLARE_BUILDERS(simt)
#endif

namespace lanework {

template <>
const DeviceBuilder<float>* device_builder<float>([[maybe_unused]] DeviceKind kind) {
#ifdef LANEWORK_PARTICLES_ON_CUDA
    if (kind == DeviceKind::cuda) return &lanework_neighbors_cuda_float;
#endif
#ifdef LANEWORK_PARTICLES_ON_SIMT
    if (kind == DeviceKind::simt) return &lanework_neighbors_simt_float;
#endif
    return nullptr;
}
template <>
const DeviceBuilder<double>* device_builder<double>([[maybe_unused]] DeviceKind kind) {
#ifdef LANEWORK_PARTICLES_ON_CUDA
    if (kind == DeviceKind::cuda) return &lanework_neighbors_cuda_double;
#endif
#ifdef LANEWORK_PARTICLES_ON_SIMT
    if (kind == DeviceKind::simt) return &lanework_neighbors_simt_double;
#endif
    return nullptr;
}

namespace {

constexpr std::int64_t kMostAtoms = std::int64_t{1} << 30;

template <class T>
const DeviceBuilder<T>& builder_of(Device& device) {
    if (const auto* builder = device_builder<T>(device.info().kind)) return *builder;
    throw UnavailableError(
        fmt::format("{} has no memory of its own to build lists in; call neighbors() with a team of "
                    "threads",
                    device.info().id));
}

template <class T>
void check_device_particles(const DeviceParticles<T>& p) {
    if (p.atoms < 0 || p.atoms > kMostAtoms)
        throw UsageError(fmt::format("there are {} atoms; a device takes from 0 to 2^30", p.atoms));
    if (p.dimensions != 2 && p.dimensions != 3)
        throw UsageError(fmt::format("the positions have {} dimensions; there are lists in 2 and in 3", p.dimensions));
    if (p.system_count < 1 || (p.system_count > 1 && !p.systems))
        throw UsageError(fmt::format("there are {} systems; give 1, or more with their offsets", p.system_count));
}

template <class T>
DeviceRequest checked_request(const DeviceParticles<T>& particles, const NeighborOptions& options,
                              std::size_t workspace_bytes) {
    check_device_particles(particles);
    if (!(options.cutoff > 0) || !std::isfinite(options.cutoff))
        throw UsageError(fmt::format("the cutoff is {}; it must be a positive length", options.cutoff));
    if (options.nearest < 0 || (options.nearest > 0 && options.half))
        throw UsageError(fmt::format("nearest is {}; it must be 0 or more, and 0 for a half list", options.nearest));
    if (const std::size_t needed = neighbor_workspace(particles); workspace_bytes < needed)
        throw UsageError(fmt::format("the workspace has {} bytes; it must have {}", workspace_bytes, needed));
    return {.cutoff = options.cutoff, .half = options.half, .nearest = options.nearest};
}

/// An array of the host's in a device's memory; null for an empty one.
template <class U>
class Uploaded {
public:
    Uploaded(Device& device, std::span<const U> values) {
        if (values.empty()) return;
        memory_ = device.allocate(values.size_bytes());
        device.upload(memory_.data(), values.data(), values.size_bytes());
    }
    const U* get() const { return reinterpret_cast<const U*>(memory_.data()); }

private:
    DeviceMemory memory_;
};

/// Room for an array in a device's memory, and its way to the host.
template <class U>
class Downloadable {
public:
    Downloadable(Device& device, std::size_t size) : device_(device), size_(size) {
        if (size > 0) memory_ = device.allocate(size * sizeof(U));
    }
    U* get() const { return reinterpret_cast<U*>(memory_.data()); }
    void to(NeighborArray<U>& array) const {
        if (!array.empty()) device_.download(array.data(), memory_.data(), array.size() * sizeof(U));
    }
    U first() const {
        U value;
        device_.download(&value, memory_.data(), sizeof value);
        return value;
    }

private:
    Device& device_;
    std::size_t size_;
    DeviceMemory memory_;
};

template <class T>
[[noreturn]] void refuse(const Particles<T>& particles, const NeighborStatus& status, double cutoff) {
    if (status.bad_atom >= 0) refuse_atom(particles, status.bad_atom);
    const SystemRange system = systems_of(particles)[static_cast<std::size_t>(status.bad_system)];
    if (!make_basis(system.box, true).independent) refuse_box(system.box, status.bad_system);
    refuse_grid(particles, system, status.bad_system, cutoff);
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
    std::vector<T> lengths(options.pair_cutoffs.begin(), options.pair_cutoffs.end());
    const Uploaded<T> positions(device, particles.positions), pair_cutoffs(device, std::span<const T>(lengths));
    const Uploaded<PeriodicBox> boxes(device, particles.boxes);
    const Uploaded<std::int64_t> systems(device, particles.systems);
    const Uploaded<std::int32_t> types(device, lengths.empty() ? std::span<const std::int32_t>() : particles.types);
    DeviceParticles<T> there{positions.get(), particles.atoms(), particles.dimensions, boxes.get(), systems.get()};
    if (!particles.systems.empty()) there.system_count = static_cast<std::int64_t>(particles.systems.size()) - 1;
    there.types = types.get();
    there.pair_cutoffs = pair_cutoffs.get();
    there.type_count = static_cast<std::int32_t>(std::lround(std::sqrt(static_cast<double>(lengths.size()))));

    NeighborOptions one_cutoff = options;
    one_cutoff.cutoff = cutoff;
    const std::size_t bytes = builder.workspace(there);
    const DeviceMemory workspace = device.allocate(bytes);
    const Downloadable<std::int64_t> offsets(device, static_cast<std::size_t>(particles.atoms()) + 1);
    const Downloadable<NeighborStatus> status(device, 1);
    DeviceNeighborList<T> list{.offsets = offsets.get(), .status = status.get()};
    enqueue_neighbor_count(device, there, one_cutoff, list, workspace.data(), bytes, device.stream());
    device.synchronize();
    const NeighborStatus counted = status.first();
    if (!counted.ok()) refuse(particles, counted, cutoff);
    check_device_memory(options, static_cast<std::uint64_t>(particles.atoms()), counted.pairs, builder,
                        device.info().kind);

    const auto pairs = static_cast<std::size_t>(counted.pairs);
    NeighborArray<std::int64_t> host_offsets(static_cast<std::size_t>(particles.atoms()) + 1);
    offsets.to(host_offsets);
    NeighborList<T> result = allocate_list<T>(options, std::move(host_offsets));
    const Downloadable<std::int32_t> first(device, options.first ? pairs : 0), indices(device, pairs);
    const Downloadable<Shift> shifts(device, options.shifts ? pairs : 0);
    const Downloadable<Vector<T>> vectors(device, options.vectors ? pairs : 0);
    const Downloadable<T> distances(device, options.distances ? pairs : 0);
    list.capacity = static_cast<std::int64_t>(pairs);
    list.first = first.get();
    list.indices = indices.get();
    list.shifts = shifts.get();
    list.vectors = vectors.get();
    list.distances = distances.get();
    enqueue_neighbor_fill(device, there, one_cutoff, list, workspace.data(), bytes, device.stream());
    device.synchronize();
    first.to(result.first);
    indices.to(result.indices);
    shifts.to(result.shifts);
    vectors.to(result.vectors);
    distances.to(result.distances);
    return result;
}

}  // namespace

template <class T>
NeighborList<T> neighbors(Device& device, const Particles<T>& particles, const NeighborOptions& options) {
    if (device.info().kind == DeviceKind::cpu)
        return neighbors(particles, options, *static_cast<const Team*>(device.stream()));
    const Cutoffs<T> cutoffs = checked_cutoffs<T>(options);
    check_particles(particles, cutoffs.by_type ? cutoffs.types : 0);
    if (!(cutoffs.largest > 0)) return neighbors(particles, options, Team{1});  // nothing is near: nothing to compute
    refuse_hopeless(particles, cutoffs, options);
    return build_on(device, builder_of<T>(device), particles, options, cutoffs.largest);
}

template <class T>
std::size_t neighbor_workspace(const DeviceParticles<T>& particles) {
    check_device_particles(particles);
    for (const DeviceKind kind : {DeviceKind::cuda, DeviceKind::simt})
        if (const auto* builder = device_builder<T>(kind)) return builder->workspace(particles);  // the same for all
    throw UnavailableError("this build has no device with memory of its own");
}

template <class T>
void enqueue_neighbor_count(Device& device, const DeviceParticles<T>& particles, const NeighborOptions& options,
                            const DeviceNeighborList<T>& list, void* workspace, std::size_t workspace_bytes,
                            void* stream) {
    const DeviceBuilder<T>& builder = builder_of<T>(device);
    builder.count(particles, checked_request(particles, options, workspace_bytes), list, workspace, stream);
}

template <class T>
void enqueue_neighbor_fill(Device& device, const DeviceParticles<T>& particles, const NeighborOptions& options,
                           const DeviceNeighborList<T>& list, void* workspace, std::size_t workspace_bytes,
                           void* stream) {
    const DeviceBuilder<T>& builder = builder_of<T>(device);
    builder.fill(particles, checked_request(particles, options, workspace_bytes), list, workspace, stream);
}

#define LANEWORK_INSTANTIATE(T)                                                                      \
    template NeighborList<T> neighbors(Device&, const Particles<T>&, const NeighborOptions&);        \
    template std::size_t neighbor_workspace(const DeviceParticles<T>&);                              \
    template void enqueue_neighbor_count(Device&, const DeviceParticles<T>&, const NeighborOptions&, \
                                         const DeviceNeighborList<T>&, void*, std::size_t, void*);   \
    template void enqueue_neighbor_fill(Device&, const DeviceParticles<T>&, const NeighborOptions&,  \
                                        const DeviceNeighborList<T>&, void*, std::size_t, void*);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework

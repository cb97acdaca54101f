// The list of the library: a warp tests the candidates around a cell, which lie side by side in memory, against all of
// its atoms; it counts first and writes into the exact place after, in order. The kernels are those of
// <lanework/neighbors.hpp>, in src/particles/device, and compiled there.
#include "ops/neighbors/operation.hpp"
#include "src/particles/device/builder.hpp"

namespace {
template <class T>
const DeviceBuilder<T>& builder() {
    return *device_builder<T>(DeviceKind::LANEWORK_DEVICE);
}

template <class T>
DeviceParticles<T> particles_of(const NeighborsArgs<T>& a) {
    return {.positions = a.positions, .atoms = a.n, .box = a.facts.box};
}

// After the kernels' own scratch memory: what they report.
template <class T>
std::size_t workspace(const NeighborsArgs<T>& a) {
    return builder<T>().workspace(particles_of(a)) + sizeof(NeighborStatus);
}

template <class T>
void launch(const NeighborsArgs<T>& a, cudaStream_t stream) {
    const DeviceParticles<T> particles = particles_of(a);
    const std::size_t scratch = builder<T>().workspace(particles);
    DeviceNeighborList<T> list;
    list.offsets = reinterpret_cast<std::int64_t*>(a.offsets);
    list.status = reinterpret_cast<NeighborStatus*>(static_cast<std::byte*>(a.workspace) + scratch);
    list.capacity = a.facts.pairs;
    list.indices = a.indices;
    const DeviceRequest request{.cutoff = a.cutoff, .half = false, .nearest = 0};
    builder<T>().count(particles, request, list, a.workspace, stream);
    builder<T>().fill(particles, request, list, a.workspace, stream);
}
}  // namespace

LANEWORK_RUNG(
    neighbors, sorted_cells,
    {
        .climbs_from = "cell_list",
        .lesson = "Sort positions with the atoms; a warp tests a candidate against all atoms of a cell, order is free.",
        .launch = {launch<float>, launch<double>},
        .workspace = {workspace<float>, workspace<double>},
    });
// kernels: src/particles/device/build.cu
// mends: uncoalesced_access, idle_threads

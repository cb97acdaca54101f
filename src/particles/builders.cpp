// The builders of this build, by kind of device. A file of its own: a library that computes on one kind alone links its
// own (python/CMakeLists.txt), and none of the others' kernels.
#include "src/particles/device/builder.hpp"

// src/particles/CMakeLists.txt says which there are.
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

}  // namespace lanework

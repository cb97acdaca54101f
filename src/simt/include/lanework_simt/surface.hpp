// Surface objects: an array's elements, read and written by a kernel at coordinates whose x is in bytes.
#pragma once

#include <lanework_simt/texture.hpp>

namespace lanework_simt {
inline namespace api {

using cudaSurfaceObject_t = unsigned long long;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object);

}  // namespace api
namespace surface_unit {
/// Reads or writes `bytes` at a place of the array; beyond its ends the mode decides: nothing, zeros, or an error.
void read(cudaSurfaceObject_t object, void* value, int bytes, int x, int y, int z, cudaSurfaceBoundaryMode mode);
void write(cudaSurfaceObject_t object, const void* value, int bytes, int x, int y, int z, cudaSurfaceBoundaryMode mode);
}  // namespace surface_unit
inline namespace api {

#define LANEWORK_SIMT_SURFACE(dimensions, parameters, arguments, place)                                       \
    template <class T>                                                                                        \
    LANEWORK_SIMT_BUILTIN T surf##dimensions##read(cudaSurfaceObject_t object, LANEWORK_SIMT_LIST parameters, \
                                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
        T value{};                                                                                            \
        surface_unit::read(object, &value, int(sizeof(T)), LANEWORK_SIMT_LIST place, mode);                   \
        return value;                                                                                         \
    }                                                                                                         \
    template <class T>                                                                                        \
    LANEWORK_SIMT_BUILTIN void surf##dimensions##read(T* value, cudaSurfaceObject_t object,                   \
                                                      LANEWORK_SIMT_LIST parameters,                          \
                                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
        *value = surf##dimensions##read<T>(object, LANEWORK_SIMT_LIST arguments, mode);                       \
    }                                                                                                         \
    template <class T>                                                                                        \
    LANEWORK_SIMT_BUILTIN void surf##dimensions##write(T value, cudaSurfaceObject_t object,                   \
                                                       LANEWORK_SIMT_LIST parameters,                         \
                                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        surface_unit::write(object, &value, int(sizeof(T)), LANEWORK_SIMT_LIST place, mode);                  \
    }
#define LANEWORK_SIMT_LIST(...) __VA_ARGS__
LANEWORK_SIMT_SURFACE(1D, (int x), (x), (x, 0, 0))
LANEWORK_SIMT_SURFACE(2D, (int x, int y), (x, y), (x, y, 0))
LANEWORK_SIMT_SURFACE(3D, (int x, int y, int z), (x, y, z), (x, y, z))
LANEWORK_SIMT_SURFACE(1DLayered, (int x, int layer), (x, layer), (x, 0, layer))
LANEWORK_SIMT_SURFACE(2DLayered, (int x, int y, int layer), (x, y, layer), (x, y, layer))
LANEWORK_SIMT_SURFACE(Cubemap, (int x, int y, int face), (x, y, face), (x, y, face))
#undef LANEWORK_SIMT_LIST
#undef LANEWORK_SIMT_SURFACE

}  // namespace api
}  // namespace lanework_simt

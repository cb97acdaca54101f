// Surface objects: reads and writes of an array's elements at places that are checked.
#include <lanework_simt/surface.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <lanework_simt/error.hpp>

#include "src/simt/api_call.hpp"
#include "src/simt/array.hpp"
#include "src/simt/observing.hpp"

namespace lanework_simt {
namespace {

struct Surface {
    cudaResourceDesc resource;
    const ::cudaArray* array;
};

Handles<Surface>& surfaces() {
    static auto* live = new Handles<Surface>;  // never destroyed: see memory_map()
    return *live;
}

Surface* surface_of(cudaSurfaceObject_t object) {
    engine::reach_beyond_memory();
    return reinterpret_cast<Surface*>(static_cast<std::uintptr_t>(object));
}

/// Where an access of `bytes` goes; null where it goes nowhere.
std::byte* place(const ::cudaArray& array, int bytes, int x, int y, int z, cudaSurfaceBoundaryMode mode,
                 const void* caller) {
    const int width = int(array.pitch()), height = int(array.height), slices = int(array.slices);
    const bool inside = x >= 0 && x + bytes <= width && y >= 0 && y < height && z >= 0 && z < slices && x % bytes == 0;
    if (inside) return array.row(std::size_t(y), std::size_t(z)) + x;
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode == cudaBoundaryModeClamp) {
        x = std::clamp(x / bytes * bytes, 0, width - bytes);
        return array.row(std::size_t(std::clamp(y, 0, height - 1)), std::size_t(std::clamp(z, 0, slices - 1))) + x;
    }
    fail_kernel(cudaErrorIllegalAddress,
                fmt::format("a surface of {}×{}×{} bytes, rows and slices is accessed at ({}, {}, {}), {} bytes; x is "
                            "counted in bytes",
                            width, height, slices, x, y, z, bytes),
                caller);
}

}  // namespace

cudaError_t api::cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    return call([&] {
        if (!object || !resource || resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
        const cudaArray_const_t array = resource->res.array.array;
        if (!array_exists(array) || !(array->flags & cudaArraySurfaceLoadStore)) return cudaErrorInvalidValue;
        *object = reinterpret_cast<std::uintptr_t>(surfaces().create(Surface{*resource, array}));
        return cudaSuccess;
    });
}
cudaError_t api::cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return call(
        [&] { return object == 0 || surfaces().destroy(surface_of(object)) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t api::cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
    return call([&] {
        if (!resource || !surfaces().exists(surface_of(object))) return cudaErrorInvalidValue;
        *resource = surface_of(object)->resource;
        return cudaSuccess;
    });
}

namespace surface_unit {

void read(cudaSurfaceObject_t object, void* value, int bytes, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
    const std::byte* const at = place(*surface_of(object)->array, bytes, x, y, z, mode, __builtin_return_address(0));
    if (at) std::memcpy(value, at, std::size_t(bytes));
}
void write(cudaSurfaceObject_t object, const void* value, int bytes, int x, int y, int z,
           cudaSurfaceBoundaryMode mode) {
    std::byte* const at = place(*surface_of(object)->array, bytes, x, y, z, mode, __builtin_return_address(0));
    if (at) std::memcpy(at, value, std::size_t(bytes));
}

}  // namespace surface_unit
}  // namespace lanework_simt

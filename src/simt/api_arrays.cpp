// CUDA arrays, and copies of boxes: rows of each slice, by the copies of rows that there are.
#include "src/simt/array.hpp"

#include <algorithm>

#include "src/simt/api_call.hpp"
#include "src/simt/api_capture.hpp"
#include "src/simt/api_memory_map.hpp"

namespace lanework_simt {
namespace {

Handles<::cudaArray>& arrays() {
    static auto* live = new Handles<::cudaArray>;  // never destroyed: see memory_map()
    return *live;
}

constexpr std::size_t kCubeFaces = 6;
constexpr unsigned kFlags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;

cudaError_t create(cudaArray_t* array, const cudaChannelFormatDesc& format, cudaExtent given, unsigned flags) {
    const std::size_t bytes = element_bytes(format);
    if (bytes == 0) return cudaErrorInvalidChannelDescriptor;
    const bool layered = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap;
    if (given.width == 0 || (flags & ~kFlags) || (layered && given.depth == 0)) return cudaErrorInvalidValue;
    if (cube && (given.width != given.height || given.depth % kCubeFaces != 0 || given.depth == 0))
        return cudaErrorInvalidValue;
    ::cudaArray made{nullptr,
                     format,
                     given,
                     flags,
                     bytes,
                     given.width,
                     std::max<std::size_t>(given.height, 1),
                     std::max<std::size_t>(given.depth, 1)};
    if (const cudaError_t refused = refuse_to_allocate(); refused != cudaSuccess) return refused;
    made.base = memory_map().allocate(made.pitch() * made.height * made.slices, Origin::device, 0);
    if (made.base == nullptr) return cudaErrorMemoryAllocation;
    *array = arrays().create(made);
    return cudaSuccess;
}

/// Whether `bytes` × `rows` from (x, y) on lie within the array's first slice.
bool holds(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t bytes, std::size_t rows) {
    return array_exists(array) && x + bytes <= array->pitch() && y + rows <= array->height;
}

/// A box's side in memory: where its first byte lies, and how far rows and slices are apart.
struct Side {
    std::byte* first;
    std::size_t pitch, slice;
};

Side side_of(cudaArray_t array, const cudaPos& at) {
    return {array->row(at.y, at.z) + at.x * array->element_bytes, array->pitch(), array->pitch() * array->height};
}
/// Positions in plain memory are in bytes, or in the other side's elements.
Side side_of(const cudaPitchedPtr& memory, const cudaPos& at, std::size_t unit) {
    const std::size_t slice = memory.pitch * memory.ysize;
    return {static_cast<std::byte*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x * unit, memory.pitch,
            slice};
}

bool fits(cudaArray_t array, const cudaPos& at, const cudaExtent& extent) {
    return array_exists(array) && at.x + extent.width <= array->width && at.y + extent.height <= array->height &&
           at.z + extent.depth <= array->slices;
}

template <class CopyRows>
cudaError_t copy_box(const cudaMemcpy3DParms& what, const CopyRows& copy_rows) {
    cudaExtent extent = what.extent;
    if ((what.srcArray == nullptr) == (what.srcPtr.ptr == nullptr)) return cudaErrorInvalidValue;
    if ((what.dstArray == nullptr) == (what.dstPtr.ptr == nullptr)) return cudaErrorInvalidValue;
    if (what.srcArray && !fits(what.srcArray, what.srcPos, extent)) return cudaErrorInvalidValue;
    if (what.dstArray && !fits(what.dstArray, what.dstPos, extent)) return cudaErrorInvalidValue;
    const auto* const array = what.srcArray ? what.srcArray : what.dstArray;
    const std::size_t unit = array ? array->element_bytes : 1;
    const Side from = what.srcArray ? side_of(what.srcArray, what.srcPos) : side_of(what.srcPtr, what.srcPos, unit);
    const Side to = what.dstArray ? side_of(what.dstArray, what.dstPos) : side_of(what.dstPtr, what.dstPos, unit);
    for (std::size_t z = 0; z < extent.depth; ++z) {
        const cudaError_t error = copy_rows(to.first + z * to.slice, to.pitch, from.first + z * from.slice, from.pitch,
                                            extent.width * unit, extent.height, what.kind);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace

std::size_t element_bytes(const cudaChannelFormatDesc& format) {
    const int bits = format.x + format.y + format.z + format.w;
    const bool whole = format.x == 8 || format.x == 16 || format.x == 32;
    const bool even = bits == format.x || bits == 2 * format.x || bits == 4 * format.x;
    return whole && even ? static_cast<std::size_t>(bits) / 8 : 0;
}

bool array_exists(const ::cudaArray* array) { return arrays().exists(array); }
void forget_arrays() { arrays().clear(); }

cudaError_t api::cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height,
                                 unsigned int flags) {
    return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}
cudaError_t api::cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                                   unsigned int flags) {
    return call([&] {
        if (array == nullptr || format == nullptr) return cudaErrorInvalidValue;
        return create(array, *format, extent, flags);
    });
}
cudaError_t api::cudaFreeArray(cudaArray_t array) {
    if (array == nullptr) return cudaSuccess;
    if (!array_exists(array)) return record(cudaErrorInvalidResourceHandle);
    memory_map().release(array->base, Origin::device);
    arrays().destroy(array);
    return record(cudaSuccess);
}
cudaError_t api::cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                                  cudaArray_t array) {
    return call([&] {
        if (!array_exists(array)) return cudaErrorInvalidResourceHandle;
        if (format) *format = array->format;
        if (extent) *extent = array->given;
        if (flags) *flags = array->flags;
        return cudaSuccess;
    });
}
cudaError_t api::cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
    return call([&] {
        if (format == nullptr || !array_exists(array)) return cudaErrorInvalidValue;
        *format = array->format;
        return cudaSuccess;
    });
}
cudaError_t api::cudaMallocMipmappedArray(cudaMipmappedArray_t*, const cudaChannelFormatDesc*, cudaExtent, unsigned int,
                                          unsigned int) {
    return record(cudaErrorNotSupported, "mipmapped arrays are a GPU's alone");
}
cudaError_t api::cudaGetMipmappedArrayLevel(cudaArray_t*, cudaMipmappedArray_t, unsigned int) {
    return record(cudaErrorInvalidResourceHandle);
}
cudaError_t api::cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
    return record(array ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

cudaError_t api::cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
    if (memory == nullptr) return record(cudaErrorInvalidValue);
    *memory = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, extent.height * extent.depth);
}
cudaError_t api::cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
    for (size_t z = 0; z < extent.depth; ++z) {
        auto* const slice = static_cast<std::byte*>(memory.ptr) + z * memory.pitch * memory.ysize;
        const cudaError_t error = cudaMemset2DAsync(slice, memory.pitch, value, extent.width, extent.height, stream);
        if (error != cudaSuccess) return error;
    }
    return record(cudaSuccess);
}
cudaError_t api::cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    return cudaMemset3DAsync(memory, value, extent, nullptr);
}

cudaError_t api::cudaMemcpy3D(const cudaMemcpy3DParms* what) {
    return what == nullptr ? record(cudaErrorInvalidValue) : call([&] { return copy_box(*what, cudaMemcpy2D); });
}
cudaError_t api::cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
    if (what == nullptr) return record(cudaErrorInvalidValue);
    return call([&] {
        return copy_box(*what, [stream](auto... arguments) { return cudaMemcpy2DAsync(arguments..., stream); });
    });
}

cudaError_t api::cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
    if (!holds(to, x, y, width, height)) return record(cudaErrorInvalidValue);
    return cudaMemcpy2D(to->row(y, 0) + x, to->pitch(), from, pitch, width, height, kind);
}
cudaError_t api::cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                          size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    if (!holds(to, x, y, width, height)) return record(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(to->row(y, 0) + x, to->pitch(), from, pitch, width, height, kind, stream);
}
cudaError_t api::cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind) {
    if (!holds(from, x, y, width, height)) return record(cudaErrorInvalidValue);
    return cudaMemcpy2D(to, pitch, from->row(y, 0) + x, from->pitch(), width, height, kind);
}
cudaError_t api::cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                            size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    if (!holds(from, x, y, width, height)) return record(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(to, pitch, from->row(y, 0) + x, from->pitch(), width, height, kind, stream);
}

// Rows follow each other without gaps, so that bytes may run over the end of one.
cudaError_t api::cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind) {
    if (!array_exists(to) || y * to->pitch() + x + bytes > to->pitch() * to->height)
        return record(cudaErrorInvalidValue);
    return cudaMemcpy(to->row(y, 0) + x, from, bytes, kind);
}
cudaError_t api::cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind) {
    if (!array_exists(from) || y * from->pitch() + x + bytes > from->pitch() * from->height)
        return record(cudaErrorInvalidValue);
    return cudaMemcpy(to, from->row(y, 0) + x, bytes, kind);
}
cudaError_t api::cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                          size_t from_x, size_t from_y, size_t width, size_t height,
                                          cudaMemcpyKind kind) {
    if (!holds(to, to_x, to_y, width, height)) return record(cudaErrorInvalidValue);
    return cudaMemcpy2DFromArray(to->row(to_y, 0) + to_x, to->pitch(), from, from_x, from_y, width, height, kind);
}

}  // namespace lanework_simt

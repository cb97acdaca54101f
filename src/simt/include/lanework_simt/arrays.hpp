// CUDA arrays, and copies of boxes of elements or bytes between them and plain memory. An array's elements lie row by
// row, slice by slice; a layered array's slices are its layers, a cube map's its faces.
#pragma once

#include <stddef.h>

#include <lanework_simt/memory.hpp>
#include <lanework_simt/vector_types.hpp>

struct cudaArray;

namespace lanework_simt {
inline namespace api {

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
};
/// Bits of each component.
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

}  // namespace api
namespace texture_unit {
/// A scalar or vector type as a texture's element.
template <class Scalar, int Components>
struct Format {
    static constexpr int bits = 8 * sizeof(Scalar);
    static constexpr cudaChannelFormatKind kind = Scalar(0.5f) != Scalar(0) ? cudaChannelFormatKindFloat
                                                  : Scalar(-1) < Scalar(0)  ? cudaChannelFormatKindSigned
                                                                            : cudaChannelFormatKindUnsigned;
    static constexpr cudaChannelFormatDesc value{bits, Components > 1 ? bits : 0, Components > 2 ? bits : 0,
                                                 Components > 2 ? bits : 0, kind};
};
template <class T>
struct FormatOf;
#define LANEWORK_SIMT_TEXEL(scalar, name)            \
    template <>                                      \
    struct FormatOf<scalar> : Format<scalar, 1> {};  \
    template <>                                      \
    struct FormatOf<name##1> : Format<scalar, 1> {}; \
    template <>                                      \
    struct FormatOf<name##2> : Format<scalar, 2> {}; \
    template <>                                      \
    struct FormatOf<name##4> : Format<scalar, 4> {};
LANEWORK_SIMT_TEXEL(signed char, char)
LANEWORK_SIMT_TEXEL(unsigned char, uchar)
LANEWORK_SIMT_TEXEL(short, short)
LANEWORK_SIMT_TEXEL(unsigned short, ushort)
LANEWORK_SIMT_TEXEL(int, int)
LANEWORK_SIMT_TEXEL(unsigned int, uint)
LANEWORK_SIMT_TEXEL(float, float)
#undef LANEWORK_SIMT_TEXEL
template <>
struct FormatOf<char> : FormatOf<signed char> {};
}  // namespace texture_unit
inline namespace api {

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    return texture_unit::FormatOf<T>::value;
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }

using cudaArray_t = ::cudaArray*;
using cudaArray_const_t = const ::cudaArray*;
struct cudaMipmappedArray;
using cudaMipmappedArray_t = cudaMipmappedArray*;

#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08

/// Width in elements where an array is concerned, else in bytes.
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void* ptr;
    size_t pitch, xsize, ysize;
};
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
    return {pointer, pitch, width, height};
}

struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height = 0,
                            unsigned int flags = cudaArrayDefault);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags = cudaArrayDefault);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);
/// Mipmaps are a GPU's alone: cudaErrorNotSupported.
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned int levels, unsigned int flags = 0);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_t mipmapped, unsigned int level);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent);
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream = 0);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream = 0);

// Rows to and from arrays; widths and x offsets are in bytes.
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);

}  // namespace api
}  // namespace lanework_simt

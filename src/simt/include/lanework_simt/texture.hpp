// Texture objects: elements of linear memory, of rows with a pitch, and of arrays, read at a point or interpolated
// between neighbours with the 8 fractional bits that the hardware has.
#pragma once

#include <cstdint>
#include <lanework_simt/arrays.hpp>

namespace lanework_simt {
inline namespace api {

enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
    unsigned int flags;
};

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc;
using cudaTextureObject_t = unsigned long long;

/// cudaErrorNotSupported for mipmaps and views; cudaErrorInvalidFilterSetting for integers that are to be interpolated.
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object);

}  // namespace api
namespace texture_unit {
/// The bytes of an element, its first in the lowest.
struct Texel {
    std::uint64_t words[2];
};
// Out of line: on a GPU each is a request to the texture unit, and neither a load nor a branch of the kernel.
/// Element `index`; zeros for one that the texture does not have.
Texel element(cudaTextureObject_t object, int index);
/// What the texture has at a place of `dimensions` coordinates, in a layer of a layered array.
Texel sample(cudaTextureObject_t object, int dimensions, float x, float y, float z, int layer);
/// The same where a direction from a cube's centre meets it.
Texel sample_cube(cudaTextureObject_t object, float x, float y, float z, int layer);
/// Component `component` of the four elements around a place, counter-clockwise from the lower left.
Texel gather(cudaTextureObject_t object, float x, float y, int component);

template <class T>
LANEWORK_SIMT_BUILTIN T value_of(const Texel& texel) {
    static_assert(FormatOf<T>::bits > 0, "textures have elements of 1, 2 or 4 numbers");
    T value;
    __builtin_memcpy(&value, &texel, sizeof(T));
    return value;
}
}  // namespace texture_unit
inline namespace api {

// Each function in its two forms. T must be what the texture was created for: its elements' type, or float where they
// are normalized. Without mipmaps every level is the array itself.
#define LANEWORK_SIMT_FETCH(name, parameters, arguments, texel)                                             \
    template <class T>                                                                                      \
    LANEWORK_SIMT_BUILTIN T name(cudaTextureObject_t object LANEWORK_SIMT_BEHIND parameters) {              \
        return texture_unit::value_of<T>(texture_unit::texel);                                              \
    }                                                                                                       \
    template <class T>                                                                                      \
    LANEWORK_SIMT_BUILTIN void name(T* value, cudaTextureObject_t object LANEWORK_SIMT_BEHIND parameters) { \
        *value = name<T>(object LANEWORK_SIMT_BEHIND arguments);                                            \
    }
#define LANEWORK_SIMT_BEHIND(...) , __VA_ARGS__
LANEWORK_SIMT_FETCH(tex1Dfetch, (int index), (index), element(object, index))
LANEWORK_SIMT_FETCH(tex1D, (float x), (x), sample(object, 1, x, 0, 0, 0))
LANEWORK_SIMT_FETCH(tex2D, (float x, float y), (x, y), sample(object, 2, x, y, 0, 0))
LANEWORK_SIMT_FETCH(tex3D, (float x, float y, float z), (x, y, z), sample(object, 3, x, y, z, 0))
LANEWORK_SIMT_FETCH(tex1DLayered, (float x, int layer), (x, layer), sample(object, 1, x, 0, 0, layer))
LANEWORK_SIMT_FETCH(tex2DLayered, (float x, float y, int layer), (x, y, layer), sample(object, 2, x, y, 0, layer))
LANEWORK_SIMT_FETCH(texCubemap, (float x, float y, float z), (x, y, z), sample_cube(object, x, y, z, 0))
LANEWORK_SIMT_FETCH(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
                    sample_cube(object, x, y, z, layer))
LANEWORK_SIMT_FETCH(tex1DLod, (float x, float), (x, 0), sample(object, 1, x, 0, 0, 0))
LANEWORK_SIMT_FETCH(tex2DLod, (float x, float y, float), (x, y, 0), sample(object, 2, x, y, 0, 0))
LANEWORK_SIMT_FETCH(tex3DLod, (float x, float y, float z, float), (x, y, z, 0), sample(object, 3, x, y, z, 0))
#undef LANEWORK_SIMT_FETCH
#undef LANEWORK_SIMT_BEHIND
template <class T>
LANEWORK_SIMT_BUILTIN T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
    return texture_unit::value_of<T>(texture_unit::gather(object, x, y, component));
}

}  // namespace api
}  // namespace lanework_simt

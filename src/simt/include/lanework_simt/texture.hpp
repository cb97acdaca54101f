// Texture objects over linear memory, read element by element with tex1Dfetch. Arrays, filtering, normalised
// coordinates and conversions are a GPU's alone.
#pragma once

#include <stddef.h>

#include <lanework_simt/error_codes.hpp>
#include <lanework_simt/qualifiers.hpp>
#include <lanework_simt/vector_types.hpp>

#include <cstdint>

namespace lanework_simt {

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

enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};
/// Only `linear` can be used.
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
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

/// cudaErrorNotSupported for anything but whole elements of linear memory.
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object);

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

namespace texture {
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

/// The bytes of an element, its first in the lowest.
struct Texel {
    std::uint64_t words[2];
};
/// Element `index`; zeros for one that the texture does not have. Out of line: on a GPU it is a request to the texture
/// unit, and neither a load nor a branch of the kernel.
Texel element(cudaTextureObject_t object, int index);
}  // namespace texture

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    return texture::FormatOf<T>::value;
}

/// Element `index` of the texture; zeros beyond its ends. T must be what the texture was created for.
template <class T>
LANEWORK_SIMT_BUILTIN T tex1Dfetch(cudaTextureObject_t object, int index) {
    static_assert(texture::FormatOf<T>::bits > 0);
    const texture::Texel texel = texture::element(object, index);
    T value;
    __builtin_memcpy(&value, &texel, sizeof(T));
    return value;
}
template <class T>
LANEWORK_SIMT_BUILTIN void tex1Dfetch(T* value, cudaTextureObject_t object, int index) {
    *value = tex1Dfetch<T>(object, index);
}

}  // namespace lanework_simt

// Texture objects: which there are, what they were created from, and where their elements lie.
#include <cstdint>
#include <cstring>
#include <lanework_simt/texture.hpp>

#include "src/simt/api_call.hpp"

namespace lanework_simt {
namespace {

constexpr std::size_t kAlignment = 512;                      // cudaDevAttrTextureAlignment
constexpr std::size_t kMostElements = std::size_t{1} << 28;  // cudaDevAttrMaxTexture1DLinearWidth of a GPU

struct Texture {
    cudaResourceDesc resource;
    cudaTextureDesc description;
    std::size_t element_bytes, elements;
};

/// They outlive a reset of the device: a program's handle to one then still means what it meant.
Handles<Texture>& textures() {
    static auto* live = new Handles<Texture>;  // never destroyed: see memory_map()
    return *live;
}

Texture* texture_of(cudaTextureObject_t object) {
    return reinterpret_cast<Texture*>(static_cast<std::uintptr_t>(object));
}

std::size_t bytes_of(const cudaChannelFormatDesc& format) {
    const int bits = format.x + format.y + format.z + format.w;
    const bool whole = format.x == 8 || format.x == 16 || format.x == 32;
    return whole && bits > 0 ? static_cast<std::size_t>(bits) / 8 : 0;
}

bool whole_elements(const cudaTextureDesc& description) {
    return description.readMode == cudaReadModeElementType && description.filterMode == cudaFilterModePoint &&
           !description.normalizedCoords && !description.sRGB;
}

cudaError_t create(cudaTextureObject_t& object, const cudaResourceDesc& resource, const cudaTextureDesc& description) {
    if (resource.resType != cudaResourceTypeLinear || !whole_elements(description)) return cudaErrorNotSupported;
    const auto& memory = resource.res.linear;
    const std::size_t bytes = bytes_of(memory.desc);
    if (bytes == 0) return cudaErrorInvalidChannelDescriptor;
    const bool placed = memory.devPtr && reinterpret_cast<std::uintptr_t>(memory.devPtr) % kAlignment == 0;
    const std::size_t elements = memory.sizeInBytes / bytes;
    if (!placed || elements == 0 || elements > kMostElements) return cudaErrorInvalidValue;
    object = reinterpret_cast<std::uintptr_t>(textures().create(Texture{resource, description, bytes, elements}));
    return cudaSuccess;
}

template <class Answer>
cudaError_t describe(Answer* answer, cudaTextureObject_t object, Answer Texture::*member) {
    return call([&] {
        if (!answer || !textures().exists(texture_of(object))) return cudaErrorInvalidValue;
        *answer = texture_of(object)->*member;
        return cudaSuccess;
    });
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
    return call([&] {
        if (!object || !resource || !description || view) return cudaErrorInvalidValue;
        return create(*object, *resource, *description);
    });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return call(
        [&] { return object == 0 || textures().destroy(texture_of(object)) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
    return describe(resource, object, &Texture::resource);
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t object) {
    return describe(description, object, &Texture::description);
}

texture::Texel texture::element(cudaTextureObject_t object, int index) {
    const Texture& texture = *texture_of(object);
    const auto at = static_cast<std::size_t>(index);  // a negative one is beyond any end
    Texel texel{};
    if (at >= texture.elements) return texel;
    const auto* const elements = static_cast<const std::byte*>(texture.resource.res.linear.devPtr);
    std::memcpy(&texel, elements + at * texture.element_bytes, texture.element_bytes);
    return texel;
}

}  // namespace lanework_simt

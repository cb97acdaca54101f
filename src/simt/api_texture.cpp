// Texture objects: which there are, what they were created from, and what a fetch at a place gives.
#include <lanework_simt/texture.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <lanework/half.hpp>

#include "src/simt/api_call.hpp"
#include "src/simt/array.hpp"
#include "src/simt/hooks.hpp"

namespace lanework_simt {
namespace {

constexpr std::size_t kAlignment = 512;                      // cudaDevAttrTextureAlignment
constexpr std::size_t kMostElements = std::size_t{1} << 28;  // cudaDevAttrMaxTexture1DLinearWidth of a GPU
constexpr int kComponents = 4;

struct Texture {
    cudaResourceDesc resource;
    cudaTextureDesc description;
    const std::byte* base;
    cudaChannelFormatDesc format;
    std::size_t element_bytes, pitch;
    /// Elements along x, y and z; layers and faces are further slices.
    std::array<int, 3> extent;
    std::size_t slices;

    const std::byte* element(int x, int y, std::size_t slice) const {
        return base + (slice * std::size_t(extent[1]) + std::size_t(y)) * pitch + std::size_t(x) * element_bytes;
    }
    bool gives_floats() const {
        return description.readMode == cudaReadModeNormalizedFloat || description.filterMode == cudaFilterModeLinear;
    }
};

/// They outlive a reset of the device: a program's handle to one then still means what it meant.
Handles<Texture>& textures() {
    static auto* live = new Handles<Texture>;  // never destroyed: see memory_map()
    return *live;
}

Texture* texture_of(cudaTextureObject_t object) {
    engine::reach_beyond_memory();
    return reinterpret_cast<Texture*>(static_cast<std::uintptr_t>(object));
}

// -- creation ---------------------------------------------------------------------------------------------------------

cudaError_t place_linear(Texture& texture) {
    const auto& memory = texture.resource.res.linear;
    texture.format = memory.desc;
    texture.element_bytes = element_bytes(memory.desc);
    if (texture.element_bytes == 0) return cudaErrorInvalidChannelDescriptor;
    const bool placed = memory.devPtr && reinterpret_cast<std::uintptr_t>(memory.devPtr) % kAlignment == 0;
    const std::size_t elements = memory.sizeInBytes / texture.element_bytes;
    if (!placed || elements == 0 || elements > kMostElements) return cudaErrorInvalidValue;
    texture.base = static_cast<const std::byte*>(memory.devPtr);
    texture.extent = {int(elements), 1, 1};
    texture.pitch = elements * texture.element_bytes;
    return cudaSuccess;
}

cudaError_t place_rows(Texture& texture) {
    const auto& memory = texture.resource.res.pitch2D;
    texture.format = memory.desc;
    texture.element_bytes = element_bytes(memory.desc);
    if (texture.element_bytes == 0) return cudaErrorInvalidChannelDescriptor;
    const bool placed = memory.devPtr && reinterpret_cast<std::uintptr_t>(memory.devPtr) % kAlignment == 0;
    const bool rows = memory.width && memory.height && memory.pitchInBytes >= memory.width * texture.element_bytes;
    if (!placed || !rows || memory.pitchInBytes % 32 != 0) return cudaErrorInvalidValue;
    texture.base = static_cast<const std::byte*>(memory.devPtr);
    texture.extent = {int(memory.width), int(memory.height), 1};
    texture.pitch = memory.pitchInBytes;
    return cudaSuccess;
}

cudaError_t place_array(Texture& texture) {
    const cudaArray_const_t array = texture.resource.res.array.array;
    if (!array_exists(array)) return cudaErrorInvalidValue;
    const bool slices = array->flags & (cudaArrayLayered | cudaArrayCubemap);
    texture.format = array->format;
    texture.element_bytes = array->element_bytes;
    texture.base = array->base;
    texture.pitch = array->pitch();
    texture.extent = {int(array->width), int(array->height), slices ? 1 : int(array->slices)};
    texture.slices = slices ? array->slices : 1;
    return cudaSuccess;
}

cudaError_t place(Texture& texture) {
    switch (texture.resource.resType) {
        case cudaResourceTypeLinear: return place_linear(texture);
        case cudaResourceTypePitch2D: return place_rows(texture);
        case cudaResourceTypeArray: return place_array(texture);
        case cudaResourceTypeMipmappedArray: return cudaErrorNotSupported;
    }
    return cudaErrorInvalidValue;
}

cudaError_t create(cudaTextureObject_t& object, const cudaResourceDesc& resource, const cudaTextureDesc& description) {
    Texture texture{resource, description, nullptr, {}, 0, 0, {1, 1, 1}, 1};
    if (const cudaError_t error = place(texture); error != cudaSuccess) return error;
    const bool floats = texture.format.f == cudaChannelFormatKindFloat;
    const bool normalized = description.readMode == cudaReadModeNormalizedFloat;
    if (normalized && (floats || texture.format.x == 32)) texture.description.readMode = cudaReadModeElementType;
    if (description.filterMode == cudaFilterModeLinear && !floats && !normalized) return cudaErrorInvalidFilterSetting;
    object = reinterpret_cast<std::uintptr_t>(textures().create(texture));
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

// -- numbers ----------------------------------------------------------------------------------------------------------

using Numbers = std::array<float, kComponents>;

int components(const Texture& texture) { return int(texture.element_bytes) * 8 / texture.format.x; }

/// The standard's curve from stored to linear intensity.
float linear_intensity(float stored) {
    return stored <= 0.04045f ? stored / 12.92f : std::pow((stored + 0.055f) / 1.055f, 2.4f);
}

/// Component `k` of an element: floats as they are, integers in [0, 1] or [-1, 1].
float number(const Texture& texture, const std::byte* element, int k) {
    const int bits = texture.format.x;
    const std::byte* const at = element + k * bits / 8;
    if (texture.format.f == cudaChannelFormatKindFloat) {
        if (bits == 16) {
            std::uint16_t half;
            std::memcpy(&half, at, sizeof half);
            return lanework::to_float(lanework::float16{half});
        }
        float value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    std::uint32_t raw = 0;
    std::memcpy(&raw, at, std::size_t(bits) / 8);
    const float most = float((1u << (bits - 1)) - 1);
    if (texture.format.f == cudaChannelFormatKindUnsigned) {
        const float value = float(raw) / float((1ull << bits) - 1);
        return texture.description.sRGB && bits == 8 && k < 3 ? linear_intensity(value) : value;
    }
    const auto value = std::int32_t(raw << (32 - bits)) >> (32 - bits);
    return std::max(float(value) / most, -1.0f);
}

// -- places -----------------------------------------------------------------------------------------------------------

/// Wrapping and mirroring are for normalized coordinates; others are clamped.
cudaTextureAddressMode mode_of(const Texture& texture, int axis) {
    const cudaTextureAddressMode mode = texture.description.addressMode[axis];
    const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    return repeats && !texture.description.normalizedCoords ? cudaAddressModeClamp : mode;
}

/// The element that an index means, or -1 for the border.
int addressed(int index, int extent, cudaTextureAddressMode mode) {
    if (index >= 0 && index < extent) return index;
    switch (mode) {
        case cudaAddressModeWrap: return (index % extent + extent) % extent;
        case cudaAddressModeMirror: {
            const int period = 2 * extent, at = (index % period + period) % period;
            return at < extent ? at : period - 1 - at;
        }
        case cudaAddressModeBorder: return -1;
        default: return std::clamp(index, 0, extent - 1);
    }
}

/// The elements around a coordinate and the weight of the second, in 8 bits of fraction as the hardware has them.
struct Neighbours {
    int first, second;
    float weight;
};

constexpr float kFar = 1 << 30;

Neighbours neighbours(const Texture& texture, int axis, float coordinate) {
    const int extent = texture.extent[std::size_t(axis)];
    if (texture.description.normalizedCoords) coordinate *= float(extent);
    const bool linear = texture.description.filterMode == cudaFilterModeLinear;
    if (linear) coordinate -= 0.5f;
    coordinate = std::clamp(coordinate, -kFar, kFar);  // a NaN stays, and becomes the first element
    if (coordinate != coordinate) coordinate = 0;
    const float whole = std::floor(coordinate);
    const float weight = linear ? std::floor((coordinate - whole) * 256.0f + 0.5f) / 256.0f : 0.0f;
    const cudaTextureAddressMode mode = mode_of(texture, axis);
    return {addressed(int(whole), extent, mode), addressed(int(whole) + 1, extent, mode), weight};
}

const std::byte* element_at(const Texture& texture, int x, int y, int z, std::size_t slice) {
    if (x < 0 || y < 0 || z < 0) return nullptr;
    return texture.element(x, y, slice + std::size_t(z));
}

Numbers numbers_at(const Texture& texture, int x, int y, int z, std::size_t slice) {
    const std::byte* const element = element_at(texture, x, y, z, slice);
    Numbers result{};
    for (int k = 0; k < components(texture); ++k)
        result[std::size_t(k)] = element ? number(texture, element, k) : texture.description.borderColor[k];
    return result;
}

texture_unit::Texel packed(const Numbers& numbers) {
    texture_unit::Texel texel;
    std::memcpy(&texel, numbers.data(), sizeof texel);
    return texel;
}

/// The element as it is stored; of the border, what its colour becomes in the element's type.
texture_unit::Texel stored(const Texture& texture, const std::byte* element) {
    texture_unit::Texel texel{};
    if (element) {
        std::memcpy(&texel, element, texture.element_bytes);
    } else if (texture.format.f == cudaChannelFormatKindFloat && texture.format.x == 32) {
        std::memcpy(&texel, texture.description.borderColor, texture.element_bytes);
    }
    return texel;
}

texture_unit::Texel interpolated(const Texture& texture, const std::array<Neighbours, 3>& at, std::size_t slice) {
    Numbers sum{};
    for (int corner = 0; corner < 8; ++corner) {
        float weight = 1;
        std::array<int, 3> index{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const bool second = corner >> axis & 1;
            weight *= second ? at[axis].weight : 1 - at[axis].weight;
            index[axis] = second ? at[axis].second : at[axis].first;
        }
        if (weight == 0) continue;
        const Numbers numbers = numbers_at(texture, index[0], index[1], index[2], slice);
        for (std::size_t k = 0; k < numbers.size(); ++k) sum[k] += weight * numbers[k];
    }
    return packed(sum);
}

texture_unit::Texel sample_slice(const Texture& texture, const std::array<float, 3>& at, int dimensions,
                                 std::size_t slice) {
    std::array<Neighbours, 3> around{};
    for (int axis = 0; axis < dimensions; ++axis)
        around[std::size_t(axis)] = neighbours(texture, axis, at[std::size_t(axis)]);
    if (texture.description.filterMode == cudaFilterModeLinear) return interpolated(texture, around, slice);
    const auto &x = around[0], &y = around[1], &z = around[2];
    if (texture.gives_floats()) return packed(numbers_at(texture, x.first, y.first, z.first, slice));
    return stored(texture, element_at(texture, x.first, y.first, z.first, slice));
}

std::size_t slice_of(const Texture& texture, int slice) {
    return std::size_t(std::clamp(slice, 0, int(texture.slices) - 1));
}

}  // namespace

cudaError_t api::cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                         const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
    return call([&] {
        if (!object || !resource || !description) return cudaErrorInvalidValue;
        return view ? cudaErrorNotSupported : create(*object, *resource, *description);
    });
}

cudaError_t api::cudaDestroyTextureObject(cudaTextureObject_t object) {
    return call(
        [&] { return object == 0 || textures().destroy(texture_of(object)) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t api::cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
    return describe(resource, object, &Texture::resource);
}
cudaError_t api::cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t object) {
    return describe(description, object, &Texture::description);
}

namespace {

/// Puts a fetch on the thread's tape, at the element that is nearest to it, by the code that `pc` returns to.
void see_fetch(const Texture& texture, const std::array<float, 3>& at, std::size_t slice, const void* pc) {
    if (!engine::hooks_active) return;
    std::array<int, 3> place{};
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
        const auto extent = float(texture.extent[axis]);
        const float found = texture.description.normalizedCoords ? at[axis] * extent : at[axis];
        place[axis] = found >= 0 ? int(std::min(found, extent - 1)) : 0;  // and of no number
    }
    const auto log2_bytes = unsigned(std::bit_width(texture.element_bytes) - 1);
    const bool deep = texture.extent[2] > 1;
    engine::see_access(texture.element(place[0], place[1], deep ? slice + std::size_t(place[2]) : slice),
                       EventKind::fetch, log2_bytes, pc);
}

}  // namespace

namespace texture_unit {

Texel element(cudaTextureObject_t object, int index) {
    const Texture& texture = *texture_of(object);
    if (index < 0 || index >= texture.extent[0]) return {};
    const std::byte* const at = texture.element(index, 0, 0);
    if (engine::hooks_active)
        engine::see_access(at, EventKind::fetch, unsigned(std::bit_width(texture.element_bytes) - 1),
                           LANEWORK_HOOK_PC());
    if (!texture.gives_floats()) return stored(texture, at);
    return packed(numbers_at(texture, index, 0, 0, 0));
}

Texel sample(cudaTextureObject_t object, int dimensions, float x, float y, float z, int layer) {
    const Texture& texture = *texture_of(object);
    see_fetch(texture, {x, y, z}, slice_of(texture, layer), LANEWORK_HOOK_PC());
    return sample_slice(texture, {x, y, z}, dimensions, slice_of(texture, layer));
}

/// The face is that of the longest axis; within it the others, divided by that one, run from -1 to 1.
Texel sample_cube(cudaTextureObject_t object, float x, float y, float z, int layer) {
    const Texture& texture = *texture_of(object);
    const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    int face = 0;
    float s = 0, t = 0, longest = 1;
    if (ax >= ay && ax >= az) {
        face = x >= 0 ? 0 : 1, s = x >= 0 ? -z : z, t = -y, longest = ax;
    } else if (ay >= az) {
        face = y >= 0 ? 2 : 3, s = x, t = y >= 0 ? z : -z, longest = ay;
    } else {
        face = z >= 0 ? 4 : 5, s = z >= 0 ? x : -x, t = -y, longest = az;
    }
    if (longest == 0) longest = 1;
    float u = (s / longest + 1) / 2, v = (t / longest + 1) / 2;
    if (!texture.description.normalizedCoords) u *= float(texture.extent[0]), v *= float(texture.extent[1]);
    see_fetch(texture, {u, v, 0}, slice_of(texture, 6 * layer + face), LANEWORK_HOOK_PC());
    Texture clamped = texture;  // a face ends at its edges
    std::fill_n(clamped.description.addressMode, 3, cudaAddressModeClamp);
    return sample_slice(clamped, {u, v, 0}, 2, slice_of(texture, 6 * layer + face));
}

Texel gather(cudaTextureObject_t object, float x, float y, int component) {
    Texture texture = *texture_of(object);
    texture.description.filterMode = cudaFilterModeLinear;
    see_fetch(texture, {x, y, 0}, 0, LANEWORK_HOOK_PC());
    const Neighbours h = neighbours(texture, 0, x), v = neighbours(texture, 1, y);
    const std::array<std::array<int, 2>, 4> places{
        {{h.first, v.second}, {h.second, v.second}, {h.second, v.first}, {h.first, v.first}}};
    const bool floats = texture.format.f == cudaChannelFormatKindFloat ||
                        texture_of(object)->description.readMode == cudaReadModeNormalizedFloat;
    if (component < 0 || component >= components(texture)) return {};
    Texel result{};
    const std::size_t bytes = floats ? sizeof(float) : std::size_t(texture.format.x) / 8;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::byte* const at = element_at(texture, places[i][0], places[i][1], 0, 0);
        const float value = at && floats ? number(texture, at, component) : 0.0f;
        const void* from = floats ? static_cast<const void*>(&value)
                           : at   ? static_cast<const void*>(at + std::size_t(component) * bytes)
                                  : nullptr;
        if (from) std::memcpy(reinterpret_cast<std::byte*>(&result) + i * bytes, from, bytes);
    }
    return result;
}

}  // namespace texture_unit
}  // namespace lanework_simt

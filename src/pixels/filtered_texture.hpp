// A texture over an image of bytes where it lies, whose unit blends the four pixels around a place by itself: for
// kernels. It computes with 8 bits of fraction along each axis, and gives numbers from 0 to 1.
#pragma once

#include <lanework/image_view.hpp>

#include "src/pixels/row_texture.hpp"
#include "src/pixels/sampling.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Pixels of a side: up to here a place has its fraction to 2⁻¹² as a float.
inline constexpr std::int64_t kMostFiltered = 4096;

/// Levels of 255 that a blend may differ by. Along each axis the unit rounds the fraction to 2⁻⁸, and the place is a
/// float: together 255 · 2 · (2⁻⁹ + 2⁻¹²) < 1.13. The blend and what it is compared with are each rounded by half a
/// level, and the convention opencv of resize cuts up to 0.76 more: less than 3 in all.
inline constexpr double kFilteredDeviation = 2;

/// Whether a filtering texture can be laid over the image: a pixel must be one element of it.
inline bool fits_filtered_texture(const ImageView<const std::uint8_t>& image) {
    return (image.channels == 1 || image.channels == 4) && image.pitch > 0 && image.pitch % kTexturePitch == 0 &&
           image.pitch <= kLongestRowTexture && image.width <= kMostFiltered && image.height <= kMostFiltered &&
           reinterpret_cast<std::uintptr_t>(image.pixels) % kTextureAlignment == 0;
}

/// Owns the texture over an image that fits: what a rung prepares once for its launches. Beyond the image is its edge.
class PreparedFilteredTexture final : public Prepared {
public:
    explicit PreparedFilteredTexture(const ImageView<const std::uint8_t>& image) {
        cudaResourceDesc memory{};
        memory.resType = cudaResourceTypePitch2D;
        memory.res.pitch2D.devPtr = const_cast<std::uint8_t*>(image.pixels);
        memory.res.pitch2D.desc =
            image.channels == 1 ? cudaCreateChannelDesc<std::uint8_t>() : cudaCreateChannelDesc<uchar4>();
        memory.res.pitch2D.width = static_cast<std::size_t>(image.width);
        memory.res.pitch2D.height = static_cast<std::size_t>(image.height);
        memory.res.pitch2D.pitchInBytes = static_cast<std::size_t>(image.pitch);
        cudaTextureDesc reading{};
        reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeClamp;
        reading.filterMode = cudaFilterModeLinear;
        reading.readMode = cudaReadModeNormalizedFloat;
        LANEWORK_CHECK(cudaCreateTextureObject(&object_, &memory, &reading, nullptr));
    }
    PreparedFilteredTexture(const PreparedFilteredTexture&) = delete;
    PreparedFilteredTexture& operator=(const PreparedFilteredTexture&) = delete;
    ~PreparedFilteredTexture() override { cudaDestroyTextureObject(object_); }

    cudaTextureObject_t object() const { return object_; }

private:
    cudaTextureObject_t object_ = 0;
};

/// The pixel around (x, y), both counted from the middle of the first pixel, into `out`: one fetch.
template <int channels>
__device__ void write_filtered(cudaTextureObject_t texture, float x, float y, std::uint8_t* out) {
    if constexpr (channels == 1) {
        *out = to_sample(255.0F * tex2D<float>(texture, x + 0.5F, y + 0.5F));
    } else {
        const auto pixel = tex2D<float4>(texture, x + 0.5F, y + 0.5F);
        const auto level = [](float sample) { return std::uint32_t{to_sample(255.0F * sample)}; };
        *reinterpret_cast<std::uint32_t*>(out) =
            level(pixel.x) | level(pixel.y) << 8 | level(pixel.z) << 16 | level(pixel.w) << 24;
    }
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

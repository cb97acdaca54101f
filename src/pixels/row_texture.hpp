// A texture over the rows of an image where they lie, read sample by sample: for kernels. What an image begins at and
// how far apart its rows are is the caller's; a texture begins at a multiple of 512 bytes.
#pragma once

#include <cstdint>
#include <lanework/image_view.hpp>
#include <lanework/rung.hpp>

#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr std::int64_t kTextureAlignment = 512;         ///< bytes: cudaDevAttrTextureAlignment of every GPU
inline constexpr std::int64_t kTexturePitch = 32;              ///< bytes: cudaDevAttrTexturePitchAlignment
inline constexpr std::int64_t kWidestRowTexture = 131'072;     ///< elements: cudaDevAttrMaxTexture2DLinearWidth
inline constexpr std::int64_t kHighestRowTexture = 65'000;     ///< rows: cudaDevAttrMaxTexture2DLinearHeight
inline constexpr std::int64_t kLongestRowTexture = 2'097'120;  ///< bytes of a pitch: cudaDevAttrMaxTexture2DLinearPitch

/// Passed to a kernel by value.
template <class T>
struct RowTexture {
    cudaTextureObject_t object = 0;
    std::int32_t first = 0;    ///< samples from the texture's row to the image's first…
    std::int32_t row = 0;      ///< …of this row of the texture
    std::int32_t per_row = 1;  ///< samples from one row to the next

    /// As it is stored, not filtered.
    __device__ T at(std::int64_t y, std::int64_t sample) const {
        std::int32_t x = first + static_cast<std::int32_t>(sample), down = row + static_cast<std::int32_t>(y);
        if (x >= per_row) {  // the image begins within a row of the texture, and each of its rows ends in the next
            x -= per_row;
            ++down;
        }
        return tex2D<T>(object, static_cast<float>(x) + 0.5F, static_cast<float>(down) + 0.5F);
    }
};

/// Whether a texture can be laid over the image.
template <class T>
constexpr bool fits_row_texture(const ImageView<const T>& image) {
    constexpr std::int64_t kBefore = kTextureAlignment / kTexturePitch + 1;  // rows that may stand before the image
    return image.pitch > 0 && image.pitch % kTexturePitch == 0 && image.pitch <= kLongestRowTexture &&
           image.pitch / static_cast<std::int64_t>(sizeof(T)) <= kWidestRowTexture &&
           image.height + kBefore < kHighestRowTexture;
}

/// Owns the texture over an image that fits: what a rung prepares once for its launches.
template <class T>
class PreparedRowTexture final : public Prepared {
public:
    explicit PreparedRowTexture(const ImageView<const T>& image) : texture_(create(image)) {}
    PreparedRowTexture(const PreparedRowTexture&) = delete;
    PreparedRowTexture& operator=(const PreparedRowTexture&) = delete;
    ~PreparedRowTexture() override { cudaDestroyTextureObject(texture_.object); }

    const RowTexture<T>& texture() const { return texture_; }

private:
    static RowTexture<T> create(const ImageView<const T>& image);

    RowTexture<T> texture_;
};

template <class T>
RowTexture<T> PreparedRowTexture<T>::create(const ImageView<const T>& image) {
    RowTexture<T> texture;
    const auto behind = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(image.pixels) % kTextureAlignment);
    texture.row = static_cast<std::int32_t>(behind / image.pitch);
    texture.first = static_cast<std::int32_t>(behind % image.pitch / static_cast<std::int64_t>(sizeof(T)));
    texture.per_row = static_cast<std::int32_t>(image.pitch / static_cast<std::int64_t>(sizeof(T)));
    cudaResourceDesc memory{};
    memory.resType = cudaResourceTypePitch2D;
    memory.res.pitch2D.devPtr = const_cast<char*>(reinterpret_cast<const char*>(image.pixels) - behind);
    memory.res.pitch2D.desc = cudaCreateChannelDesc<T>();
    memory.res.pitch2D.width = static_cast<std::size_t>(texture.per_row);
    memory.res.pitch2D.height = static_cast<std::size_t>(texture.row + image.height + (texture.first > 0 ? 1 : 0));
    memory.res.pitch2D.pitchInBytes = static_cast<std::size_t>(image.pitch);
    cudaTextureDesc reading{};
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeClamp;
    reading.filterMode = cudaFilterModePoint;
    reading.readMode = cudaReadModeElementType;
    LANEWORK_CHECK(cudaCreateTextureObject(&texture.object, &memory, &reading, nullptr));
    return texture;
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

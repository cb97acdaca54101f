// The texture path: a texture object over the same memory, read by index. It shares the first-level cache with ordinary
// loads, answers reads beyond the end with 0 instead of a fault, and is no faster for it.
#include <map>
#include <mutex>
#include <tuple>

#include "ops/coefficients/elements.hpp"
#include "src/cuda/check.hpp"

namespace {
// Elements: cudaDevAttrMaxTexture1DLinearWidth of the GPUs that allow the least.
constexpr std::int64_t kMost = 1 << 27;
constexpr std::size_t kAlignment = 512;  // bytes: cudaDevAttrTextureAlignment of every GPU

__global__ void texture_coefficients(const std::int32_t* in, cudaTextureObject_t coefficients, int first,
                                     std::int32_t* out, std::int64_t n, std::int64_t degree) {
    const std::int64_t i = own_element();
    if (i >= n) return;
    out[i] = evaluate(in[i], degree,
                      [=](std::int64_t k) { return tex1Dfetch<int>(coefficients, first + static_cast<int>(k)); });
}

/// A texture begins on a boundary; the words that it is for begin some elements behind that.
struct Texture {
    cudaTextureObject_t object = 0;
    int first = 0;
};

Texture create_texture(const std::int32_t* words, std::int64_t count) {
    const std::size_t behind = reinterpret_cast<std::uintptr_t>(words) % kAlignment;
    cudaResourceDesc memory{};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = const_cast<char*>(reinterpret_cast<const char*>(words) - behind);
    memory.res.linear.desc = cudaCreateChannelDesc<int>();
    memory.res.linear.sizeInBytes = behind + static_cast<std::size_t>(count) * sizeof(std::int32_t);
    cudaTextureDesc reading{};
    reading.readMode = cudaReadModeElementType;
    Texture texture{.first = static_cast<int>(behind / sizeof(std::int32_t))};
    LANEWORK_CHECK(cudaCreateTextureObject(&texture.object, &memory, &reading, nullptr));
    return texture;
}

/// The texture over these words. It is kept: one that a kernel on some stream may still read cannot be destroyed, and
/// one that is made once is not made in the time of a launch.
Texture texture_of(const std::int32_t* words, std::int64_t count) {
    static std::mutex mutex;
    static std::map<std::tuple<int, const std::int32_t*, std::int64_t>, Texture> textures;
    int device = 0;  // whose the texture is
    LANEWORK_CHECK(cudaGetDevice(&device));
    const std::lock_guard lock(mutex);
    Texture& texture = textures[{device, words, count}];
    if (texture.object == 0) texture = create_texture(words, count);
    return texture;
}

void launch(const CoefficientsArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    const Texture texture = a.degree > 0 ? texture_of(a.coefficients, a.degree) : Texture{};
    texture_coefficients<<<blocks_for(a), kBlock, 0, stream>>>(a.in, texture.object, texture.first, a.out, a.n,
                                                               a.degree);
}

std::string_view refuses(const Problem& p) {
    return p.extent[1] <= kMost ? std::string_view() : "a texture over linear memory has at most 2^27 elements";
}
}  // namespace

LANEWORK_RUNG(coefficients, texture_coefficients,
              {
                  .climbs_from = "global_coefficients",
                  .lesson = "A texture read goes through the same cache as a load; its gift is bounds, not speed.",
                  .launch = launch,
                  .refuses = refuses,
              });

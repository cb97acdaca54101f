// The texture path: a texture object over the same memory, read by index. It shares the first-level cache with ordinary
// loads, answers reads beyond the end with 0 instead of a fault, and is no faster for it.
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

/// The texture over the coefficients. It begins on a boundary, and they some elements behind that.
class Texture final : public Prepared {
public:
    Texture(const std::int32_t* words, std::int64_t count) {
        const std::size_t behind = reinterpret_cast<std::uintptr_t>(words) % kAlignment;
        cudaResourceDesc memory{};
        memory.resType = cudaResourceTypeLinear;
        memory.res.linear.devPtr = const_cast<char*>(reinterpret_cast<const char*>(words) - behind);
        memory.res.linear.desc = cudaCreateChannelDesc<int>();
        memory.res.linear.sizeInBytes = behind + static_cast<std::size_t>(count) * sizeof(std::int32_t);
        cudaTextureDesc reading{};
        reading.readMode = cudaReadModeElementType;
        first_ = static_cast<int>(behind / sizeof(std::int32_t));
        LANEWORK_CHECK(cudaCreateTextureObject(&object_, &memory, &reading, nullptr));
    }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
    ~Texture() override { cudaDestroyTextureObject(object_); }

    cudaTextureObject_t object() const { return object_; }
    int first() const { return first_; }

private:
    cudaTextureObject_t object_ = 0;
    int first_ = 0;
};

PreparedOwner prepare(const CoefficientsArgs& a, cudaStream_t) {
    return a.n == 0 || a.degree == 0 ? PreparedOwner() : PreparedOwner(new Texture(a.coefficients, a.degree));
}

void launch(const CoefficientsArgs& a, cudaStream_t stream) {
    if (a.n == 0) return;
    const auto* const texture = static_cast<const Texture*>(a.prepared);
    texture_coefficients<<<blocks_for(a), kBlock, 0, stream>>>(a.in, texture ? texture->object() : 0,
                                                               texture ? texture->first() : 0, a.out, a.n, a.degree);
}

std::string_view refuses(const Problem& p) {
    return p.lengths<CoefficientsAxes>().degree <= kMost ? std::string_view()
                                                         : "a texture over linear memory has at most 2^27 elements";
}
}  // namespace

LANEWORK_RUNG(coefficients, texture_coefficients,
              {
                  .climbs_from = "global_coefficients",
                  .lesson = "A texture read goes through the same cache as a load; its gift is bounds, not speed.",
                  .launch = launch,
                  .prepare = prepare,
                  .refuses = refuses,
              });

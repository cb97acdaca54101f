// The exclusive or of an array of words, for each instruction set: it is read once per target, as Highway's
// foreach_target.h includes the file that includes this one.
#if defined(LANEWORK_READ_XOR_WORDS) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWORK_READ_XOR_WORDS
#undef LANEWORK_READ_XOR_WORDS
#else
#define LANEWORK_READ_XOR_WORDS
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t kPage = 1024;  // words: prefetchers stop at the end of a page

std::int32_t xor_words(const std::int32_t* in, std::int64_t words) {
    const hn::ScalableTag<std::int32_t> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto first = hn::Zero(d), second = first, third = first, fourth = first;
    std::int64_t i = 0;
    for (; i + 4 * kPage <= words; i += 4 * kPage)
        for (std::int64_t at = i; at < i + kPage; at += lanes) {
            first = hn::Xor(first, hn::LoadU(d, in + at));
            second = hn::Xor(second, hn::LoadU(d, in + at + kPage));
            third = hn::Xor(third, hn::LoadU(d, in + at + 2 * kPage));
            fourth = hn::Xor(fourth, hn::LoadU(d, in + at + 3 * kPage));
        }
    for (; i + lanes <= words; i += lanes) first = hn::Xor(first, hn::LoadU(d, in + i));
    HWY_ALIGN std::int32_t folded[HWY_MAX_BYTES / sizeof(std::int32_t)];
    hn::Store(hn::Xor(hn::Xor(first, second), hn::Xor(third, fourth)), d, folded);
    std::int32_t all = 0;
    for (std::int64_t lane = 0; lane < lanes; ++lane) all ^= folded[lane];
    for (; i < words; ++i) all ^= in[i];
    return all;
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#endif

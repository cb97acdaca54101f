// The arithmetic of arithmetic.hpp on whole vectors: product and sum are rounded one by one (this folder is compiled
// with -ffp-contract=off), so that every vector width finds the same neighbours as one lane does.
#include "src/particles/sift.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/particles/sift.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lanework::sift::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct Tested {
    hn::Vec<hn::ScalableTag<T>> x, y, z, squared;
    hn::Mask<hn::ScalableTag<T>> near;
};

/// Candidates from `at` on, as many as a vector holds, those from `end` on left out.
template <class T>
HWY_INLINE Tested<T> test(const Candidates<T>& c, hn::Vec<hn::ScalableTag<T>> x, hn::Vec<hn::ScalableTag<T>> y,
                          hn::Vec<hn::ScalableTag<T>> z, std::int64_t at) {
    const hn::ScalableTag<T> d;
    Tested<T> result;
    result.x = hn::Add(hn::Sub(hn::LoadU(d, c.x + at), x), hn::LoadU(d, c.tx + at));
    result.y = hn::Add(hn::Sub(hn::LoadU(d, c.y + at), y), hn::LoadU(d, c.ty + at));
    result.z = hn::Add(hn::Sub(hn::LoadU(d, c.z + at), z), hn::LoadU(d, c.tz + at));
    result.squared =
        hn::Add(hn::Add(hn::Mul(result.x, result.x), hn::Mul(result.y, result.y)), hn::Mul(result.z, result.z));
    result.near = hn::Lt(result.squared, hn::LoadU(d, c.limit + at));
    return result;
}

template <class T>
std::int64_t count(const Candidates<T>& c, T x, T y, T z, std::int64_t begin, std::int64_t end) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto vx = hn::Set(d, x), vy = hn::Set(d, y), vz = hn::Set(d, z);
    std::int64_t found = 0, at = begin;
    for (; at + lanes <= end; at += lanes)
        found += static_cast<std::int64_t>(hn::CountTrue(d, test(c, vx, vy, vz, at).near));
    if (at == end) return found;
    const auto last = hn::FirstN(d, static_cast<std::size_t>(end - at));
    return found + static_cast<std::int64_t>(hn::CountTrue(d, hn::And(test(c, vx, vy, vz, at).near, last)));
}

template <class T>
HWY_INLINE std::int64_t store(const Tested<T>& tested, hn::Mask<hn::ScalableTag<T>> near, std::int64_t at,
                              bool with_vectors, const Sifted<T>& to, std::int64_t written) {
    const hn::ScalableTag<T> d;
    const hn::RebindToSigned<decltype(d)> di;
    if (with_vectors) {
        hn::CompressStore(tested.x, near, d, to.dx + written);
        hn::CompressStore(tested.y, near, d, to.dy + written);
        hn::CompressStore(tested.z, near, d, to.dz + written);
    }
    hn::CompressStore(tested.squared, near, d, to.squared + written);
    const auto slots = hn::Iota(di, static_cast<SlotOf<T>>(at));
    return written +
           static_cast<std::int64_t>(hn::CompressStore(slots, hn::RebindMask(di, near), di, to.slot + written));
}

template <class T>
std::int64_t select(const Candidates<T>& c, T x, T y, T z, std::int64_t begin, std::int64_t end, bool with_vectors,
                    const Sifted<T>& sifted, std::int64_t written) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto vx = hn::Set(d, x), vy = hn::Set(d, y), vz = hn::Set(d, z);
    std::int64_t at = begin;
    for (; at + lanes <= end; at += lanes) {
        const Tested<T> tested = test(c, vx, vy, vz, at);
        if (hn::AllFalse(d, tested.near)) continue;
        written = store(tested, tested.near, at, with_vectors, sifted, written);
    }
    if (at == end) return written;
    const Tested<T> tested = test(c, vx, vy, vz, at);
    return store(tested, hn::And(tested.near, hn::FirstN(d, static_cast<std::size_t>(end - at))), at, with_vectors,
                 sifted, written);
}

template <class T>
void roots(const T* squared, T* to, std::int64_t count) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t k = 0;
    for (; k + lanes <= count; k += lanes) hn::StoreU(hn::Sqrt(hn::LoadU(d, squared + k)), d, to + k);
    const hn::CappedTag<T, 1> one;
    for (; k < count; ++k) hn::StoreU(hn::Sqrt(hn::LoadU(one, squared + k)), one, to + k);
}

SiftKernels<float> kernels_float() { return {count<float>, select<float>, roots<float>}; }
SiftKernels<double> kernels_double() { return {count<double>, select<double>, roots<double>}; }

}  // namespace lanework::sift::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace lanework {
namespace sift {
HWY_EXPORT(kernels_float);
HWY_EXPORT(kernels_double);
}  // namespace sift

template <>
SiftKernels<float> sift_kernels<float>() {
    using namespace sift;
    return HWY_DYNAMIC_DISPATCH(kernels_float)();
}
template <>
SiftKernels<double> sift_kernels<double>() {
    using namespace sift;
    return HWY_DYNAMIC_DISPATCH(kernels_double)();
}

}  // namespace lanework

#endif  // HWY_ONCE

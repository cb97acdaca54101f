// The first elements of a vector with Highway, read once for each instruction set. Its masked loads touch what is
// masked out where the processor has none of its own, and want it aligned there.
#if defined(LANEWORK_FIRST_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEWORK_FIRST_LANES_INL
#undef LANEWORK_FIRST_LANES_INL
#else
#define LANEWORK_FIRST_LANES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace lanework::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The first `count` elements, then zeros; nothing behind them is read.
template <class D>
HWY_INLINE hn::Vec<D> load_first(D d, const hn::TFromD<D>* from, std::int64_t count) {
#if HWY_TARGET <= HWY_AVX2
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
#else
    hn::TFromD<D> elements[HWY_MAX_BYTES / sizeof(hn::TFromD<D>)] = {};
    std::copy_n(from, count, elements);
    return hn::LoadU(d, elements);
#endif
}

/// Nothing behind the first `count` elements is touched.
template <class D>
HWY_INLINE void store_first(D d, hn::Vec<D> vector, hn::TFromD<D>* to, std::int64_t count) {
#if HWY_TARGET <= HWY_AVX2
    hn::BlendedStore(vector, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
#else
    hn::TFromD<D> elements[HWY_MAX_BYTES / sizeof(hn::TFromD<D>)];
    hn::StoreU(vector, d, elements);
    std::copy_n(elements, count, to);
#endif
}

}  // namespace lanework::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

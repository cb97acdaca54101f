// Vectors of candidates. Where the arithmetic of arithmetic.hpp is done, product and sum are rounded one by one (this
// folder is compiled with -ffp-contract=off), so that every vector width finds the same neighbours as one lane does.
#include "src/particles/sift.hpp"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/particles/sift.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lanework::sift::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using VecOf = hn::Vec<hn::ScalableTag<T>>;
using FloatTag = hn::ScalableTag<float>;
using FloatMask = hn::Mask<FloatTag>;

template <class T>
struct Displacement {
    VecOf<T> x, y, z;

    VecOf<T> squared() const { return hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(z, z)); }
};

/// Those of the float lanes from `at` on that the arithmetic of arithmetic.hpp finds near.
template <class T>
HWY_NOINLINE FloatMask near_exactly(const Candidates<T>& c, const Centre<T>& atom, std::int64_t at) {
    const FloatTag floats;
    const hn::ScalableTag<T> d;
    const auto all = static_cast<std::int64_t>(hn::Lanes(floats)), lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::uint64_t bits = 0;
    for (std::int64_t lane = 0; lane < all; lane += lanes) {
        const std::int64_t k = at + lane;
        const auto along = [&](const T* x, const T* t, T from) HWY_ATTR {
            return hn::Add(hn::Sub(hn::LoadU(d, x + k), hn::Set(d, from)), hn::LoadU(d, t + k));
        };
        const Displacement<T> to{along(c.x, c.tx, atom.given.x), along(c.y, c.ty, atom.given.y),
                                 along(c.z, c.tz, atom.given.z)};
        std::uint8_t some[8] = {};
        hn::StoreMaskBits(d, hn::Lt(to.squared(), hn::LoadU(d, c.limit + k)), some);
        std::uint64_t word;
        std::memcpy(&word, some, sizeof(word));
        bits |= word << lane;
    }
    std::uint8_t bytes[8];
    std::memcpy(bytes, &bits, sizeof(bits));
    return hn::LoadMaskBits(floats, bytes);
}

/// An atom, and what its candidates are compared with.
template <class T, bool kEach>
struct Sight {
    const Candidates<T> c;  // a copy: nothing that is written beside it changes it
    const Centre<T>& atom;
    VecOf<float> x, y, z, sure, maybe;

    HWY_INLINE Sight(const Candidates<T>& candidates, const Centre<T>& centre)
        : c(candidates),
          atom(centre),
          x(hn::Set(FloatTag(), centre.seen.x)),
          y(hn::Set(FloatTag(), centre.seen.y)),
          z(hn::Set(FloatTag(), centre.seen.z)),
          sure(hn::Set(FloatTag(), candidates.same.sure)),
          maybe(hn::Set(FloatTag(), candidates.same.maybe)) {}

    /// Candidates from `at` on, as many as a vector of floats holds.
    HWY_INLINE FloatMask near(std::int64_t at) const {
        const FloatTag d;
        const auto dx = hn::Sub(hn::LoadU(d, c.seen_x + at), x), dy = hn::Sub(hn::LoadU(d, c.seen_y + at), y),
                   dz = hn::Sub(hn::LoadU(d, c.seen_z + at), z);
        const auto squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
        const FloatMask is_sure = hn::Lt(squared, kEach ? hn::LoadU(d, c.sure + at) : sure),
                        may_be = hn::AndNot(is_sure, hn::Lt(squared, kEach ? hn::LoadU(d, c.maybe + at) : maybe));
        if (HWY_LIKELY(hn::AllFalse(d, may_be))) return is_sure;
        return hn::Or(is_sure, hn::And(may_be, near_exactly(c, atom, at)));
    }
};

template <class T, bool kEach>
HWY_INLINE std::int64_t count_with(const Sight<T, kEach> sight, std::int64_t begin) {
    const FloatTag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t found = 0;
    for (std::int64_t at = begin; at < sight.c.count; at += lanes)
        found += static_cast<std::int64_t>(hn::CountTrue(d, sight.near(at)));
    const std::int64_t self = sight.atom.self;
    return found - (self >= begin && sight.c.limit[self] > 0 ? 1 : 0);
}

template <class T>
std::int64_t count(const Candidates<T>& c, const Centre<T>& atom, std::int64_t begin) {
    return c.sure ? count_with(Sight<T, true>(c, atom), begin) : count_with(Sight<T, false>(c, atom), begin);
}

template <class T, bool kEach>
HWY_INLINE std::int64_t select_with(const Sight<T, kEach> sight, std::int64_t begin, std::int32_t* slots) {
    const FloatTag d;
    const hn::RebindToSigned<FloatTag> di;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d)), self = sight.atom.self;
    const auto next = hn::Set(di, static_cast<std::int32_t>(lanes));
    auto which = hn::Iota(di, static_cast<std::int32_t>(begin));
    std::int32_t* to = slots;
    const std::int64_t at_self = self < begin ? -1 : self - (self - begin) % lanes;
    for (std::int64_t at = begin; at < sight.c.count; at += lanes, which = hn::Add(which, next)) {
        FloatMask found = sight.near(at);
        if (HWY_UNLIKELY(at == at_self))
            found = hn::AndNot(hn::RebindMask(d, hn::Eq(which, hn::Set(di, static_cast<std::int32_t>(self)))), found);
        // Not CompressStore: some processors take hundreds of cycles to compress into memory.
        hn::StoreU(hn::Compress(which, hn::RebindMask(di, found)), di, to);
        to += hn::CountTrue(d, found);
    }
    hn::StoreU(hn::Zero(di), di, to);  // measure() reads whole vectors
    return to - slots;
}

template <class T>
std::int64_t select(const Candidates<T>& c, const Centre<T>& atom, std::int64_t begin, std::int32_t* slots) {
    return c.sure ? select_with(Sight<T, true>(c, atom), begin, slots)
                  : select_with(Sight<T, false>(c, atom), begin, slots);
}

/// Elements of an array at slots, a vector of them.
HWY_INLINE VecOf<float> take(const float* from, const std::int32_t* slots) {
    const FloatTag d;
    return hn::GatherIndex(d, from, hn::LoadU(hn::RebindToSigned<FloatTag>(), slots));
}
HWY_INLINE VecOf<double> take(const double* from, const std::int32_t* slots) {
    const hn::ScalableTag<double> d;
    const hn::RebindToSigned<decltype(d)> wide;
    const hn::Rebind<std::int32_t, decltype(d)> narrow;
    return hn::GatherIndex(d, from, hn::PromoteTo(wide, hn::LoadU(narrow, slots)));
}

template <class T>
void measure(const Candidates<T>& candidates, const Centre<T>& atom, const std::int32_t* slots, std::int64_t count,
             T* vectors, T* distances) {
    const Candidates<T> c = candidates;
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto x = hn::Set(d, atom.given.x), y = hn::Set(d, atom.given.y), z = hn::Set(d, atom.given.z);
    for (std::int64_t k = 0; k < count; k += lanes) {
        const std::int32_t* const at = slots + k;
        const auto along = [&](const T* position, const T* t, VecOf<T> from)
                               HWY_ATTR { return hn::Add(hn::Sub(take(position, at), from), take(t, at)); };
        const Displacement<T> to{along(c.x, c.tx, x), along(c.y, c.ty, y), along(c.z, c.tz, z)};
        const auto length = hn::Sqrt(to.squared());
        if (const std::int64_t rest = count - k; rest >= lanes) {
            if (vectors) hn::StoreInterleaved3(to.x, to.y, to.z, d, vectors + 3 * k);
            if (distances) hn::StoreU(length, d, distances + k);
        } else {
            HWY_ALIGN T last[3 * HWY_MAX_BYTES / sizeof(T)];
            const auto elements = static_cast<std::size_t>(rest);
            if (vectors) {
                hn::StoreInterleaved3(to.x, to.y, to.z, d, last);
                std::memcpy(vectors + 3 * k, last, 3 * elements * sizeof(T));
            }
            if (distances) {
                hn::Store(length, d, last);
                std::memcpy(distances + k, last, elements * sizeof(T));
            }
        }
    }
}

HWY_INLINE VecOf<double> widened(const double* from) { return hn::LoadU(hn::ScalableTag<double>(), from); }
HWY_INLINE VecOf<double> widened(const float* from) {
    const hn::ScalableTag<double> d;
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, decltype(d)>(), from));
}

template <class T>
void see(const T* x, const T* t, std::int64_t count, double origin, double scale, float* seen) {
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> narrow;
    const auto from = hn::Set(d, origin), unit = hn::Set(d, scale);
    for (std::int64_t k = 0; k < count; k += static_cast<std::int64_t>(hn::Lanes(d))) {
        const auto away = hn::Sub(hn::Add(widened(x + k), widened(t + k)), from);
        hn::StoreU(hn::DemoteTo(narrow, hn::Mul(away, unit)), narrow, seen + k);
    }
}

std::int64_t keys_around(const Surroundings& around, const double* x, const double* y, const double* z,
                         const std::int32_t* atoms, std::int64_t count, int bits, std::uint64_t code,
                         std::uint64_t* keys) {
    const hn::ScalableTag<double> d;
    const hn::RebindToUnsigned<decltype(d)> wide;
    const hn::Rebind<std::uint32_t, decltype(d)> narrow;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto* const numbers = reinterpret_cast<const std::uint32_t*>(atoms);
    const auto images = hn::Set(wide, code);
    const auto far = hn::Set(d, around.squared_ball);
    std::uint64_t* to = keys;
    const auto outside = [&](auto at, double translation, double low, double high) HWY_ATTR {
        const auto moved = hn::Add(at, hn::Set(d, translation));
        return hn::Max(hn::Max(hn::Sub(hn::Set(d, low), moved), hn::Sub(moved, hn::Set(d, high))), hn::Zero(d));
    };
    const auto test = [&](auto in_x, auto in_y, auto in_z) HWY_ATTR {
        const auto dx = outside(in_x, around.translation.x, around.low.x, around.high.x),
                   dy = outside(in_y, around.translation.y, around.low.y, around.high.y),
                   dz = outside(in_z, around.translation.z, around.low.z, around.high.z);
        return hn::Lt(hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx))), far);
    };
    const auto write = [&](auto found, auto number) HWY_ATTR {
        const auto key = hn::Or(hn::ShiftLeftSame(hn::PromoteTo(wide, number), bits), images);
        hn::StoreU(hn::Compress(key, hn::RebindMask(wide, found)), wide, to);
        to += hn::CountTrue(d, found);
    };
    std::int64_t k = 0;
    for (; k + lanes <= count; k += lanes)
        write(test(hn::LoadU(d, x + k), hn::LoadU(d, y + k), hn::LoadU(d, z + k)), hn::LoadU(narrow, numbers + k));
    if (k < count) {
        HWY_ALIGN double last[3][HWY_MAX_BYTES / sizeof(double)] = {};
        HWY_ALIGN std::uint32_t last_numbers[HWY_MAX_BYTES / sizeof(double)] = {};
        const auto rest = static_cast<std::size_t>(count - k);
        const double* const from[3] = {x + k, y + k, z + k};
        for (int axis = 0; axis < 3; ++axis) std::memcpy(last[axis], from[axis], rest * sizeof(double));
        std::memcpy(last_numbers, numbers + k, rest * sizeof(std::uint32_t));
        const auto found = test(hn::Load(d, last[0]), hn::Load(d, last[1]), hn::Load(d, last[2]));
        write(hn::And(found, hn::FirstN(d, rest)), hn::Load(narrow, last_numbers));
    }
    return to - keys;
}

SiftKernels<float> kernels_float() { return {count<float>, select<float>, measure<float>, see<float>}; }
SiftKernels<double> kernels_double() { return {count<double>, select<double>, measure<double>, see<double>}; }
KeysAround kernel_keys() { return keys_around; }

}  // namespace lanework::sift::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace lanework {
namespace sift {
HWY_EXPORT(kernels_float);
HWY_EXPORT(kernels_double);
HWY_EXPORT(kernel_keys);
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
KeysAround keys_around() {
    using namespace sift;
    return HWY_DYNAMIC_DISPATCH(kernel_keys)();
}

}  // namespace lanework

#endif  // HWY_ONCE

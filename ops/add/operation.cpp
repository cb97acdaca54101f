// What an addition is, which lengths it is verified and timed on, and what it must cost at least.
#include "ops/add/operation.hpp"

#include <lanework/operation.hpp>

#include <vector>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0),    extents(1),    extents(2),     extents(3),        extents(4),
                                 extents(31),   extents(32),   extents(33),    extents(127),      extents(1000),
                                 extents(1024), extents(4097), extents(65537), extents(1'000'003)};
constexpr Extents kCuda[] = {extents(1 << 28), extents(1 << 22)};
constexpr Extents kSimt[] = {extents(1 << 20)};
constexpr Extents kCpu[] = {extents(100'000'000), extents(1 << 16)};

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<AddAxes>().n); }

template <class T>
T rounded(float x) {
    if constexpr (std::is_same_v<T, float16>)
        return to_float16(x);
    else
        return to_bfloat16(x);
}

/// Floats in [-1, 1), any integers.
template <class T>
void fill_elements(T* values, std::size_t n, std::uint64_t seed) {
    if constexpr (std::is_class_v<T>) {
        std::vector<float> floats(n);
        fill_uniform(floats.data(), n, seed);
        for (std::size_t i = 0; i < n; ++i) values[i] = rounded<T>(floats[i]);
    } else {
        fill_uniform(values, n, seed);
    }
}
void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto fill_both = [&]<class T>(T) {
        const auto [x, y] = b.arrays<T, T>();
        fill_elements(x, count(p), seed);
        fill_elements(y, count(p), ~seed);
    };
    switch (p.dtype) {
        case DType::float64: return fill_both(double{});
        case DType::int32: return fill_both(std::int32_t{});
        case DType::float16: return fill_both(float16{});
        case DType::bfloat16: return fill_both(bfloat16{});
        default: return fill_both(float{});
    }
}

template <class T>
void reference(const AddArgsOf<T>& a) {
    for (std::int64_t i = 0; i < a.n; ++i) a.z[i] = sum_of(a.x[i], a.y[i]);
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"x", Role::input, p.dtype, count(p)},
            {"y", Role::input, p.dtype, count(p)},
            {"z", Role::output, p.dtype, count(p)}};
}

}  // namespace

LANEWORK_OPERATION(
    add, {
             .summary = "z = x + y",
             .axes = AddAxes::names,
             .verified = kVerified,
             .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
             .buffers = buffers,
             .work = [](const Problem& p) { return work_of(buffers(p), count(p)); },
             .fill = fill,
             .inputs = kHardNumbers,
             .reference = {reference<float>, reference<double>, reference<std::int32_t>, reference<float16>,
                           reference<bfloat16>},
             .tolerance = [](const Problem&) { return Tolerance{.reason = "one IEEE addition rounds in one way"}; },
         });

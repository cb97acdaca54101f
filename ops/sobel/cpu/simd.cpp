// A register of pixels at a time, on all threads: eight unaligned loads give the neighbours, 16-bit lanes the sums.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sobel/cpu/simd.cpp"
#include <hwy/foreach_target.h>
// Highway compiles this file once for each instruction set, so its header comes second.
#include <hwy/highway.h>

#include "ops/sobel/cpu/edge.hpp"
#include "src/cpu/share.hpp"

HWY_BEFORE_NAMESPACE();
namespace {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors: nothing but single pixels
template <SobelForm form>
std::int64_t find_edges_in_registers(const Rows&, std::uint8_t*, std::int64_t first, std::int64_t) {
    return first;
}
#else
const hn::ScalableTag<std::int16_t> kWide;
const hn::Rebind<std::uint8_t, decltype(kWide)> kBytes;
using Wide = hn::Vec<decltype(kWide)>;

HWY_INLINE Wide load(const std::uint8_t* from) { return hn::PromoteTo(kWide, hn::LoadU(kBytes, from)); }

/// a + 2·b + c
HWY_INLINE Wide smooth(Wide a, Wide b, Wide c) { return hn::Add(hn::Add(a, c), hn::Add(b, b)); }

/// Roots of gx² + gy², rounded to nearest, for the half of the lanes that `half` takes.
template <class Half>
HWY_INLINE auto roots(Wide gx, Wide gy, const Half& half) {
    const hn::Repartition<std::int32_t, decltype(kWide)> integers;
    const hn::RebindToFloat<decltype(integers)> floats;
    const auto x = hn::PromoteTo(integers, half(gx)), y = hn::PromoteTo(integers, half(gy));
    return hn::NearestInt(hn::Sqrt(hn::ConvertTo(floats, hn::Add(hn::Mul(x, x), hn::Mul(y, y)))));
}

template <SobelForm form>
HWY_INLINE hn::Vec<decltype(kBytes)> edges_of(Wide gx, Wide gy) {
    if constexpr (form == SobelForm::half_sum)
        return hn::DemoteTo(kBytes, hn::ShiftRight<1>(hn::Add(hn::Abs(gx), hn::Abs(gy))));  // saturates
    const hn::Half<decltype(kWide)> half;
    const auto low = roots(gx, gy, [&](Wide v) HWY_ATTR { return hn::LowerHalf(half, v); });
    const auto high = roots(gx, gy, [&](Wide v) HWY_ATTR { return hn::UpperHalf(half, v); });
    return hn::DemoteTo(kBytes, hn::Combine(kWide, hn::DemoteTo(half, high), hn::DemoteTo(half, low)));
}

template <SobelForm form>
HWY_INLINE void find_edges_at(const Rows& rows, std::uint8_t* edges, std::int64_t x) {
    const auto [above, here, below] = rows;
    const Wide above_left = load(above + x - 1), above_right = load(above + x + 1);
    const Wide below_left = load(below + x - 1), below_right = load(below + x + 1);
    const Wide gx = hn::Sub(smooth(above_right, load(here + x + 1), below_right),
                            smooth(above_left, load(here + x - 1), below_left));
    const Wide gy =
        hn::Sub(smooth(below_left, load(below + x), below_right), smooth(above_left, load(above + x), above_right));
    hn::StoreU(edges_of<form>(gx, gy), kBytes, edges + x);
}

/// Pixels first … end−1, which have neighbours on both sides, as far as they fill registers; the first that is left.
template <SobelForm form>
std::int64_t find_edges_in_registers(const Rows& rows, std::uint8_t* edges, std::int64_t first, std::int64_t end) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(kWide));
    if (end - first < lanes) return first;
    std::int64_t x = first;
    for (; x + lanes <= end; x += lanes) find_edges_at<form>(rows, edges, x);
    if (x < end) find_edges_at<form>(rows, edges, end - lanes);  // some of them a second time
    return end;
}
#endif

template <SobelForm form>
void find_edges_of(const SobelArgs& a, Share share) {
    for (std::int64_t y = share.begin; y < share.end; ++y) {
        const Rows rows = rows_around(a, y);
        std::uint8_t* edges = a.edges + y * a.width;
        edges[0] = edge_at<form>(rows, 0, a.width);
        for (std::int64_t x = find_edges_in_registers<form>(rows, edges, 1, a.width - 1); x < a.width; ++x)
            edges[x] = edge_at<form>(rows, x, a.width);
    }
}

void find_edges(const SobelArgs& a, Share share) {
    switch (a.form) {
        case SobelForm::half_sum: return find_edges_of<SobelForm::half_sum>(a, share);
        case SobelForm::magnitude: return find_edges_of<SobelForm::magnitude>(a, share);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <omp.h>

namespace {
HWY_EXPORT(find_edges);

constexpr std::int64_t kLeastPixels = 4096;  // for a thread to be worth its start

void launch(const SobelArgs& a, Team team) {
    if (a.empty()) return;
    const auto find_edges = HWY_DYNAMIC_DISPATCH(find_edges);
    const std::int64_t worthwhile = std::min(a.height, ceil_div(a.height * a.width, kLeastPixels));
    const int threads = static_cast<int>(std::clamp<std::int64_t>(worthwhile, 1, team.threads));
#pragma omp parallel num_threads(threads)
    find_edges(a, share_of(a.height, omp_get_num_threads(), omp_get_thread_num(), 1));
}
}  // namespace

LANEWORK_RUNG(
    sobel, simd,
    {
        .climbs_from = "serial",
        .lesson = "Unaligned loads give a register of left, middle and right neighbours; rows go to all threads.",
        .launch = launch,
    });
#endif

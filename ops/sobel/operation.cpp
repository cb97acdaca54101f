// What edges are, which shapes they are verified and timed on, and what they must cost at least.
#include "ops/sobel/operation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"

namespace {

constexpr std::string_view kAxes[] = {"height", "width"};
constexpr std::string_view kVariants[] = {"half_sum", "magnitude"};
constexpr Extents kVerified[] = {extents(0, 0),   extents(0, 5),    extents(5, 0),     extents(1, 1),
                                 extents(1, 2),   extents(2, 1),    extents(2, 2),     extents(1, 37),
                                 extents(41, 1),  extents(3, 3),    extents(2, 64),    extents(31, 33),
                                 extents(64, 64), extents(33, 100), extents(129, 272), extents(513, 1021)};
constexpr Extents kFullHd = extents(1080, 1920), kUltraHd = extents(2160, 3840), kVga = extents(480, 640);
constexpr Extents kLarge[] = {kUltraHd, kFullHd};
constexpr Extents kSimt[] = {kVga};

std::size_t pixels(const Problem& p) {
    return static_cast<std::size_t>(p.extent[0]) * static_cast<std::size_t>(p.extent[1]);
}

/// Random noise saturates nearly everywhere, so half of the rows are a faint texture, where every value occurs.
void fill(const Problem& p, std::uint64_t seed, const Buffers& buffers) {
    auto* gray = static_cast<std::uint8_t*>(buffers.data[0]);
    fill_uniform(gray, pixels(p), seed);
    const auto width = static_cast<std::size_t>(p.extent[1]);
    for (std::size_t i = 0; i < pixels(p); ++i)
        if (i / width % 16 < 8) gray[i] = static_cast<std::uint8_t>(96 + gray[i] / 4);
}

/// The integer nearest to the root: the largest r with (r − ½)² < square. (A tie cannot be: (r − ½)² is no integer.)
int nearest_root(int square) {
    int root = static_cast<int>(std::sqrt(static_cast<double>(square)));
    while (root * (root + 1) < square) ++root;
    return root;
}

int edge(const SobelArgs& a, std::int64_t y, std::int64_t x) {
    const auto at = [&](int down, int right) {
        return int{a.gray[reflect(y + down, a.height) * a.width + reflect(x + right, a.width)]};
    };
    const int gx = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    const int gy = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    return a.form == SobelForm::half_sum ? std::min((std::abs(gx) + std::abs(gy)) / 2, kBrightest)
                                         : std::min(nearest_root(gx * gx + gy * gy), kBrightest);
}

void reference(const SobelArgs& a) {
    for (std::int64_t y = 0; y < a.height; ++y)
        for (std::int64_t x = 0; x < a.width; ++x) a.edges[y * a.width + x] = static_cast<std::uint8_t>(edge(a, y, x));
}

}  // namespace

LANEWORK_OPERATION(
    sobel,
    {
        .summary = "edges[h×w] = (|Gx| + |Gy|) / 2 of gray[h×w], 8-bit, saturated, border reflected",
        .axes = kAxes,
        .variants = kVariants,
        .verified = kVerified,
        .timed = {.cuda = kLarge, .simt = kSimt, .cpu = kLarge},
        .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
            return {{"gray", Role::input, DType::uint8, pixels(p)}, {"edges", Role::output, DType::uint8, pixels(p)}};
        },
        // Arithmetic is of integers, so no floating-point operation is counted.
        .work = [](const Problem& p) { return Work{.bytes_read = pixels(p), .bytes_written = pixels(p)}; },
        .fill = fill,
        .reference = reference,
        .tolerance = [](const Problem&) { return Tolerance{.reason = "the formulas are of integers"}; },
    });

// What a histogram is, which sizes it is verified and timed on, and how its two kinds of input are drawn.
#include "ops/histogram/operation.hpp"

#include <algorithm>
#include <bit>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr std::string_view kVariants[] = {"uniform", "skewed"};
// Around a pack of 16 bytes, a warp and a block, and enough for several blocks.
constexpr Extents kVerified[] = {extents(0),    extents(1),    extents(15),    extents(16),     extents(17),
                                 extents(31),   extents(33),   extents(255),   extents(1000),   extents(4096),
                                 extents(4099), extents(8191), extents(65537), extents(200'003)};
constexpr Extents kCuda[] = {extents(std::int64_t{1} << 30)};
constexpr Extents kSimt[] = {extents(1 << 19)};
constexpr Extents kCpu[] = {extents(1 << 27)};

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<HistogramAxes>().n); }

/// Half of the bytes are 0, a quarter 1, an eighth 2, and so on: most of a warp wants the same few counters.
void fill_skewed(std::uint8_t* values, std::size_t n, std::uint64_t seed) {
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::uint8_t>(std::countr_zero(random_bits(seed, i)));
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& b) {
    const auto [values] = b.arrays<std::uint8_t>();
    if (static_cast<ByteDistribution>(p.variant) == ByteDistribution::skewed)
        fill_skewed(values, count(p), seed);
    else
        fill_uniform(values, count(p), seed);
}

/// One counter takes everything, the first, the last or both.
constexpr Input kInputs[] = {{"zeros", "0", in_first_array<patterns::zeros>},
                             {"all_ones", "255", in_first_array<patterns::all_ones>},
                             {"extremes", "0, 255, …", in_first_array<patterns::extremes>},
                             {"ascending", "0, 1, 2, …", in_first_array<patterns::ascending>}};

void reference(const HistogramArgs& a) {
    std::fill_n(a.counts, kBins, 0);
    for (std::int64_t i = 0; i < a.n; ++i) ++a.counts[a.in[i]];
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"in", Role::input, DType::uint8, count(p)}, {"counts", Role::output, DType::uint64, kBins}};
}

}  // namespace

LANEWORK_OPERATION(histogram, {
                                  .summary = "counts[v] = how many of in[0 … n−1] are v, for 256 values of bytes",
                                  .axes = HistogramAxes::names,
                                  .variants = kVariants,
                                  .verified = kVerified,
                                  .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                                  .buffers = buffers,
                                  .work = [](const Problem& p) { return work_of(buffers(p)); },
                                  .fill = fill,
                                  .inputs = kInputs,
                                  .reference = reference,
                                  .tolerance = [](const Problem&) { return Tolerance{.reason = "counts are exact"}; },
                              });

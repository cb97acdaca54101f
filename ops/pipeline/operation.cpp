// What the pipeline computes, on which sizes it is verified and timed, and what it must move at least.
#include "ops/pipeline/operation.hpp"

#include <algorithm>
#include <cmath>
#include <lanework/operation.hpp>
#include <limits>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr std::string_view kVariants[] = {"pinned", "pageable"};
// One element, one chunk, a chunk's end, several chunks with a ragged last one.
constexpr Extents kVerified[] = {extents(0),    extents(1),    extents(2),      extents(3),      extents(1023),
                                 extents(1024), extents(1025), extents(10'000), extents(65'537), extents(200'003)};
constexpr Extents kCuda[] = {extents(1 << 27)};
constexpr Extents kSimt[] = {extents(1 << 19)};
constexpr Extents kCpu[] = {extents(1 << 25)};
constexpr std::uint64_t kFlopsPerElement = 8;  // 5 additions, 2 divisions by three and one by two

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<PipelineAxes>().n); }

std::vector<BufferSpec> buffers(const Problem& p) {
    const bool pinned = static_cast<HostArraysIn>(p.variant) == HostArraysIn::pinned;
    const Memory host = pinned ? Memory::pinned : Memory::pageable;
    return {{"a", Role::input, p.dtype, count(p), host},
            {"b", Role::input, p.dtype, count(p), host},
            {"c", Role::output, p.dtype, count(p), host}};
}

/// The device's own memory is not counted: a kernel could work on mapped host memory and use none of it.
Work work(const Problem& p) {
    const std::size_t bytes = sizeof(float) * count(p);
    return {.flops = kFlopsPerElement * count(p), .bytes_uploaded = 2 * bytes, .bytes_downloaded = bytes};
}

void fill(const Problem& p, std::uint64_t seed, const Buffers& buffers) {
    const auto [a, b] = buffers.arrays<float, float>();
    fill_uniform(a, count(p), seed);
    fill_uniform(b, count(p), random_bits(seed, 1));
}

double mean_of_three(const float* x, std::int64_t i, std::int64_t n) {
    const double left = x[std::max<std::int64_t>(i - 1, 0)], right = x[std::min(i + 1, n - 1)];
    return (left + x[i] + right) / 3;
}

void reference(const PipelineArgs& a) {
    for (std::int64_t i = 0; i < a.n; ++i)
        a.c[i] = static_cast<float>((mean_of_three(a.a, i, a.n) + mean_of_three(a.b, i, a.n)) / 2);
}

/// The mean of the magnitudes of the six elements.
void magnitudes(const PipelineArgs& a, double* of) {
    const auto magnitude = [&](const float* x, std::int64_t i) { return std::abs(double{x[i]}); };
    for (std::int64_t i = 0; i < a.n; ++i) {
        const std::int64_t left = std::max<std::int64_t>(i - 1, 0), right = std::min(i + 1, a.n - 1);
        of[i] = 0;
        for (const float* x : {a.a, a.b}) of[i] += (magnitude(x, left) + magnitude(x, i) + magnitude(x, right)) / 6;
    }
}

/// An element goes through four roundings (two sums, a division, a sum) and the reference's own: 5·ε/2 of its
/// magnitude, to first order. Below the normal numbers a division loses up to a unit of the smallest.
Tolerance tolerance(const Problem&) {
    using Float = std::numeric_limits<float>;
    return {.absolute = 4 * double{Float::denorm_min()},
            .of_magnitude = 4 * double{Float::epsilon()},
            .reason = "four roundings of each element, of any sign and size"};
}

}  // namespace

LANEWORK_OPERATION(pipeline, {
                                 .summary = "c[i] = mean of the means of a and b over i−1, i, i+1; all the host's",
                                 .axes = PipelineAxes::names,
                                 .variants = kVariants,
                                 .verified = kVerified,
                                 .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                                 .buffers = buffers,
                                 .work = work,
                                 .fill = fill,
                                 .inputs = kHardNumbers,
                                 .reference = reference,
                                 .magnitudes = magnitudes,
                                 .tolerance = tolerance,
                             });

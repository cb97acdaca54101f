// What the two sides compute, and which lengths they are verified and timed on.
#include "ops/divergence/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

// Around a pair, a warp and a block; odd numbers of elements, whose last pair is half; no step at all.
constexpr Extents kVerified[] = {extents(0, 3),     extents(1, 5),   extents(2, 0),   extents(31, 1),
                                 extents(33, 9),    extents(64, 8),  extents(127, 7), extents(255, 16),
                                 extents(257, 17),  extents(512, 3), extents(769, 4), extents(1000, 33),
                                 extents(10'007, 2)};
constexpr Extents kCuda[] = {extents(1 << 23, 1024)};
constexpr Extents kSimt[] = {extents(1 << 14, 64)};
constexpr Extents kCpu[] = {extents(1 << 18, 512)};

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<DivergenceAxes>().n); }

void reference(const DivergenceArgs& a) {
    for (std::int64_t i = 0; i < a.n; ++i) {
        auto x = static_cast<std::uint32_t>(a.in[i]);
        for (std::int64_t round = 0; round < a.rounds; ++round) x = i % 2 == 0 ? even_step(x) : odd_step(x);
        a.out[i] = static_cast<std::int32_t>(x);
    }
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"in", Role::input, p.dtype, count(p)}, {"out", Role::output, p.dtype, count(p)}};
}

/// Each step is two multiply-adds; what the odd one masks between them is not counted.
Work work(const Problem& p) {
    return work_of(buffers(p), 4 * count(p) * static_cast<std::uint64_t>(p.lengths<DivergenceAxes>().rounds));
}

}  // namespace

LANEWORK_OPERATION(divergence,
                   {
                       .summary = "B[i] = A[i] after `rounds` steps of one recurrence for even i, of another for odd i",
                       .axes = DivergenceAxes::names,
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .buffers = buffers,
                       .work = work,
                       .fill =
                           [](const Problem& p, std::uint64_t seed, const Buffers& b) {
                               const auto [in] = b.arrays<std::int32_t>();
                               fill_uniform(in, count(p), seed);
                           },
                       .inputs = kHardIntegers,
                       .reference = reference,
                       .tolerance = [](const Problem&) { return Tolerance{.reason = "integers wrap around exactly"}; },
                   });

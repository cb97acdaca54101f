// What the recurrence computes, and which lengths it is verified and timed on.
#include "ops/spill/operation.hpp"

#include <lanework/operation.hpp>
#include <vector>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

// Around a warp and a block; no step, fewer than the ring has places, whole turns of the ring and parts of them.
constexpr Extents kVerified[] = {extents(0, 20),    extents(1, 0),    extents(1, 1),    extents(31, 4),
                                 extents(33, 5),    extents(64, 15),  extents(255, 16), extents(257, 17),
                                 extents(1000, 48), extents(513, 63), extents(4099, 33)};
constexpr Extents kCuda[] = {extents(1 << 22, 4096)};
constexpr Extents kSimt[] = {extents(1 << 14, 64)};
constexpr Extents kCpu[] = {extents(1 << 18, 1024)};

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<SpillAxes>().n); }

/// The whole sequence, without a ring: value s + 16 follows from the values s and s + 11.
void reference(const SpillArgs& a) {
    std::vector<std::uint32_t> sequence(static_cast<std::size_t>(kRing + a.steps));
    for (std::int64_t i = 0; i < a.n; ++i) {
        for (int place = 0; place < kRing; ++place)
            sequence[static_cast<std::size_t>(place)] = initial(static_cast<std::uint32_t>(a.in[i]), place);
        for (std::size_t s = 0; s + kRing < sequence.size(); ++s)
            sequence[s + kRing] = next(sequence[s], sequence[s + kRing - kLag]);
        // The last 16 values, from the one that lies at place 0 of a ring.
        const std::size_t end = sequence.size(), wrapped = end % kRing;
        std::uint32_t result = 0;
        for (std::size_t k = 0; k < kRing; ++k)
            result = fold(result, sequence[k < wrapped ? end - wrapped + k : end - wrapped + k - kRing]);
        a.out[i] = static_cast<std::int32_t>(result);
    }
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"in", Role::input, p.dtype, count(p)}, {"out", Role::output, p.dtype, count(p)}};
}

/// A multiply-add for each step.
Work work(const Problem& p) {
    return work_of(buffers(p), 2 * count(p) * static_cast<std::uint64_t>(p.lengths<SpillAxes>().steps));
}

}  // namespace

LANEWORK_OPERATION(
    spill, {
               .summary = "B[i] = the last 16 of x[s+16] = x[s]·m + x[s+11], folded, after `steps` steps from A[i]",
               .axes = SpillAxes::names,
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

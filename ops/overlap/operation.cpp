// What the tasks compute, and how many and how large they are: small ones leave most of a GPU free, large ones fill it.
#include "ops/overlap/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

// Nothing; one task; fewer tasks than streams, as many, more; a ragged last block.
constexpr Extents kVerified[] = {extents(0, 5),    extents(3, 0),   extents(1, 1),     extents(2, 1000),
                                 extents(4, 4096), extents(9, 777), extents(16, 5000), extents(3, 70'001)};
constexpr Extents kCuda[] = {extents(16, 1 << 13), extents(16, 1 << 20)};
constexpr Extents kSimt[] = {extents(8, 1 << 12), extents(8, 1 << 16)};
constexpr Extents kCpu[] = {extents(16, 1 << 16)};

std::size_t elements(const Problem& p) {
    const auto [tasks, n] = p.lengths<OverlapAxes>();
    return static_cast<std::size_t>(tasks) * static_cast<std::size_t>(n);
}

void reference(const OverlapArgs& a) {
    for (std::int64_t i = 0; i < a.tasks * a.n; ++i) a.out[i] = overlap_steps(a.in[i]);
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"in", Role::input, p.dtype, elements(p)}, {"out", Role::output, p.dtype, elements(p)}};
}

}  // namespace

LANEWORK_OPERATION(overlap, {
                                .summary = "B[t][i] = A[t][i] after 64 steps of x ← a·x + c; each task t by itself",
                                .axes = OverlapAxes::names,
                                .verified = kVerified,
                                .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                                .buffers = buffers,
                                .work =
                                    [](const Problem& p) {
                                        return work_of(buffers(p), 2 * std::uint64_t{kOverlapSteps} * elements(p));
                                    },
                                .fill =
                                    [](const Problem& p, std::uint64_t seed, const Buffers& b) {
                                        const auto [in] = b.arrays<std::int32_t>();
                                        fill_uniform(in, elements(p), seed);
                                    },
                                .inputs = kHardIntegers,
                                .reference = reference,
                                .tolerance = [](const Problem&) { return Tolerance{.reason = "integers modulo 2^32"}; },
                            });

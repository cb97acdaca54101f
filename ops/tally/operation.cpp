// What a tally is, and which shapes it is verified and timed on.
#include "ops/tally/operation.hpp"

#include <algorithm>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

// One cell, as many as a block has threads, as many as there are threads, more than those; none.
constexpr Extents kVerified[] = {
    extents(0, 1, 3),      extents(1, 1, 1),       extents(40, 0, 2),  extents(33, 1, 5),    extents(257, 32, 4),
    extents(1000, 256, 3), extents(1000, 1000, 2), extents(5, 900, 2), extents(4099, 17, 0), extents(4099, 257, 3)};
constexpr Extents kCuda[] = {extents(1 << 22, 256, 64), extents(1 << 22, 1, 16)};
constexpr Extents kSimt[] = {extents(1 << 12, 256, 8)};
constexpr Extents kCpu[] = {extents(1 << 16, 256, 64)};

std::size_t threads(const Problem& p) {
    const auto of = p.lengths<TallyAxes>();
    return of.cells > 0 ? static_cast<std::size_t>(of.threads) : 0;
}
std::size_t cells(const Problem& p) { return static_cast<std::size_t>(p.lengths<TallyAxes>().cells); }

void reference(const TallyArgs& a) {
    std::fill_n(a.out, a.cells, 0);
    if (a.cells == 0) return;
    for (std::int64_t i = 0; i < a.threads; ++i) {
        std::int32_t& cell = a.out[i % a.cells];
        cell = static_cast<std::int32_t>(static_cast<std::uint32_t>(cell) +
                                         static_cast<std::uint32_t>(wrapping_product(a.values[i], a.rounds)));
    }
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"values", Role::input, p.dtype, threads(p)}, {"out", Role::output, p.dtype, cells(p)}};
}

/// An addition for each round of each thread.
Work work(const Problem& p) {
    return work_of(buffers(p), threads(p) * static_cast<std::uint64_t>(p.lengths<TallyAxes>().rounds));
}

}  // namespace

LANEWORK_OPERATION(tally,
                   {
                       .summary = "C[c] = `rounds` times the sum of A[i] over all threads i with i mod cells = c",
                       .axes = TallyAxes::names,
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .buffers = buffers,
                       .work = work,
                       .fill =
                           [](const Problem& p, std::uint64_t seed, const Buffers& b) {
                               const auto [values] = b.arrays<std::int32_t>();
                               fill_uniform(values, threads(p), seed);
                           },
                       .inputs = kHardIntegers,
                       .reference = reference,
                       .tolerance = [](const Problem&) { return Tolerance{.reason = "integers wrap around exactly"}; },
                   });

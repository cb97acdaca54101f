// What the steps of a relay compute, and which lengths it is verified and timed on.
#include "ops/relay/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0, 3),   extents(1, 0),    extents(1, 1),    extents(1, 40),  extents(255, 2),
                                 extents(256, 3), extents(1000, 7), extents(1027, 0), extents(4099, 5)};
constexpr Extents kCuda[] = {extents(4096, 1000), extents(1 << 20, 100)};
constexpr Extents kSimt[] = {extents(256, 100)};
constexpr Extents kCpu[] = {extents(4096, 1000)};

std::size_t words(const Problem& p) { return static_cast<std::size_t>(p.lengths<RelayAxes>().words); }

void reference(const RelayArgs& a) {
    for (std::int64_t i = 0; i < a.words; ++i) {
        std::int32_t x = a.in[i];
        for (std::int64_t step = 0; step < a.steps; ++step) x = stepped(x);
        a.out[i] = x;
    }
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"in", Role::input, p.dtype, words(p)}, {"out", Role::output, p.dtype, words(p)}};
}

/// The least: every word read once and written once. A rung that launches for every step moves them every time.
Work work(const Problem& p) {
    return work_of(buffers(p), 2 * words(p) * static_cast<std::uint64_t>(p.lengths<RelayAxes>().steps));
}

}  // namespace

LANEWORK_OPERATION(
    relay, {
               .summary = "B[i] = x after `steps` times x ← x·c + 1, from x = A[i]; every step hands on to the next",
               .axes = RelayAxes::names,
               .verified = kVerified,
               .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
               .buffers = buffers,
               .work = work,
               .fill =
                   [](const Problem& p, std::uint64_t seed, const Buffers& b) {
                       const auto [in] = b.arrays<std::int32_t>();
                       fill_uniform(in, words(p), seed);
                   },
               .inputs = kHardIntegers,
               .reference = reference,
               .tolerance = [](const Problem&) { return Tolerance{.reason = "integers wrap around exactly"}; },
           });

// What a write is, and which sizes it is verified and timed on. Every word differs and depends on an input, so that
// no fill of a constant and no result of an earlier run can pass for it.
#include "ops/write/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0),    extents(1),    extents(3),     extents(31),           extents(1000),
                                 extents(4096), extents(4099), extents(65537), extents((1 << 20) + 5)};
constexpr Extents kCuda[] = {extents(1 << 28)};
constexpr Extents kSimt[] = {extents(1 << 20)};
constexpr Extents kCpu[] = {extents(1 << 26)};

std::size_t words(const Problem& p) { return static_cast<std::size_t>(p.lengths<WriteAxes>().words); }

// Wraps around at 2^32, as the rungs do.
void reference(const WriteArgs& a) {
    const auto start = static_cast<std::uint32_t>(*a.start);
    for (std::int64_t i = 0; i < a.words; ++i)
        a.out[i] = static_cast<std::int32_t>(start + static_cast<std::uint32_t>(i));
}

}  // namespace

LANEWORK_OPERATION(
    write, {
               .summary = "B[i] = start + i, modulo 2³²",
               .axes = WriteAxes::names,
               .verified = kVerified,
               .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
               .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
                   return {{"start", Role::input, p.dtype, 1}, {"out", Role::output, p.dtype, words(p)}};
               },
               .work = [](const Problem& p) { return Work{.bytes_read = 4, .bytes_written = 4 * words(p)}; },
               .fill =
                   [](const Problem&, std::uint64_t seed, const Buffers& b) {
                       const auto [start] = b.arrays<std::int32_t>();
                       fill_uniform(start, 1, seed);
                   },
               .inputs = kHardIntegers,
               .reference = reference,
               .tolerance = [](const Problem&) { return Tolerance{.reason = "additions modulo 2^32 are exact"}; },
           });

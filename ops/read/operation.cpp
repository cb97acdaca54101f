// What a read is, and which sizes it is verified and timed on. Exclusive or needs every bit of every word, is exact,
// and gives the same result in any order.
#include "ops/read/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0),    extents(1),    extents(3),     extents(31),           extents(1000),
                                 extents(4096), extents(4099), extents(65537), extents((1 << 20) + 5)};
constexpr Extents kCuda[] = {extents(1 << 28)};
constexpr Extents kSimt[] = {extents(1 << 20)};
constexpr Extents kCpu[] = {extents(1 << 26)};

std::size_t words(const Problem& p) { return static_cast<std::size_t>(p.lengths<ReadAxes>().words); }

void reference(const ReadArgs& a) {
    std::int32_t all = 0;
    for (std::int64_t i = 0; i < a.words; ++i) all ^= a.in[i];
    *a.out = all;
}

}  // namespace

LANEWORK_OPERATION(read,
                   {
                       .summary = "y = A[0] xor A[1] xor … xor A[words−1]",
                       .axes = ReadAxes::names,
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
                           return {{"in", Role::input, p.dtype, words(p)}, {"out", Role::output, p.dtype, 1}};
                       },
                       .work = [](const Problem& p) { return Work{.bytes_read = 4 * words(p), .bytes_written = 4}; },
                       .fill =
                           [](const Problem& p, std::uint64_t seed, const Buffers& b) {
                               const auto [in] = b.arrays<std::int32_t>();
                               fill_uniform(in, words(p), seed);
                           },
                       .inputs = kHardIntegers,
                       .reference = reference,
                       .tolerance = [](const Problem&) { return Tolerance{.reason = "exclusive or is exact"}; },
                   });

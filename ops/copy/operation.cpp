// What a copy is, and which sizes it is verified and timed on.
#include "ops/copy/operation.hpp"

#include <algorithm>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0),    extents(1),    extents(3),     extents(31),           extents(1000),
                                 extents(4096), extents(4099), extents(65537), extents((1 << 20) + 5)};
constexpr Extents kCuda[] = {extents(1 << 28)};
constexpr Extents kSimt[] = {extents(1 << 20)};
constexpr Extents kCpu[] = {extents(1 << 26)};

std::size_t words(const Problem& p) { return static_cast<std::size_t>(p.lengths<CopyAxes>().words); }

void reference(const CopyArgs& a) { std::copy_n(a.in, a.words, a.out); }

}  // namespace

LANEWORK_OPERATION(
    copy, {
              .summary = "B[words] = A[words]",
              .axes = CopyAxes::names,
              .verified = kVerified,
              .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
              .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
                  return {{"in", Role::input, p.dtype, words(p)}, {"out", Role::output, p.dtype, words(p)}};
              },
              .work = [](const Problem& p) { return Work{.bytes_read = 4 * words(p), .bytes_written = 4 * words(p)}; },
              .fill =
                  [](const Problem& p, std::uint64_t seed, const Buffers& b) {
                      const auto [in] = b.arrays<std::int32_t>();
                      fill_uniform(in, words(p), seed);
                  },
              .inputs = kHardIntegers,
              .reference = reference,
              .tolerance = [](const Problem&) { return Tolerance{.reason = "words are moved, not computed"}; },
          });

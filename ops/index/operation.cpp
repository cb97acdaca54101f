// What indexing is, which lengths it is verified and timed on, and what it must cost at least.
#include "ops/index/operation.hpp"

#include <lanework/operation.hpp>

namespace {

constexpr Extents kVerified[] = {extents(0),    extents(1),    extents(2),     extents(31),       extents(32),
                                 extents(33),   extents(255),  extents(256),   extents(257),      extents(1000),
                                 extents(1025), extents(9999), extents(65537), extents(1'000'003)};
constexpr Extents kCuda[] = {extents(1 << 28)};
constexpr Extents kSimt[] = {extents(1 << 20)};
constexpr Extents kCpu[] = {extents(1 << 26)};

std::size_t count(const Problem& p) { return static_cast<std::size_t>(p.lengths<IndexAxes>().n); }

void reference(const IndexArgs& a) {
    for (std::int64_t i = 0; i < a.n; ++i) a.out[i] = static_cast<std::uint64_t>(i);
}

}  // namespace

LANEWORK_OPERATION(index,
                   {
                       .summary = "out[i] = i, by the thread whose global linear index is i",
                       .axes = IndexAxes::names,
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                       .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
                           return {{"out", Role::output, p.dtype, count(p)}};
                       },
                       .work = [](const Problem& p) { return Work{.bytes_written = sizeof(std::uint64_t) * count(p)}; },
                       .fill = [](const Problem&, std::uint64_t, const Buffers&) {},  // there is no input
                       .reference = reference,
                       .tolerance = [](const Problem&) { return Tolerance{.reason = "indices are exact integers"}; },
                   });

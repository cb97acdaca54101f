// What a transfer is, and which sizes it is verified and timed on.
#include "ops/transfer/operation.hpp"

#include <algorithm>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr std::string_view kVariants[] = {"upload", "download"};
constexpr Extents kVerified[] = {
    extents(0), extents(1), extents(3), extents(1000), extents(1024), extents(4099), extents((1 << 18) + 5)};
// 128 MiB: a few milliseconds of the link, and far below what managed memory may take of a card.
constexpr Extents kCuda[] = {extents(1 << 25)};
constexpr Extents kSimt[] = {extents(1 << 20)};
constexpr Extents kCpu[] = {extents(1 << 25)};

std::size_t words(const Problem& p) { return static_cast<std::size_t>(p.lengths<TransferAxes>().words); }
bool uploads(const Problem& p) { return static_cast<Direction>(p.variant) == Direction::upload; }

std::vector<BufferSpec> buffers(const Problem& p) {
    const Memory from = uploads(p) ? Memory::pageable : Memory::device;
    const Memory to = uploads(p) ? Memory::device : Memory::pageable;
    return {{"in", Role::input, p.dtype, words(p), from}, {"out", Role::output, p.dtype, words(p), to}};
}

/// Across the link on one side, in the device's memory on the other.
Work work(const Problem& p) {
    const std::size_t bytes = 4 * words(p);
    return uploads(p) ? Work{.bytes_written = bytes, .bytes_uploaded = bytes}
                      : Work{.bytes_read = bytes, .bytes_downloaded = bytes};
}

void reference(const TransferArgs& a) { std::copy_n(a.in, a.words, a.out); }

}  // namespace

LANEWORK_OPERATION(transfer,
                   {
                       .summary = "B[words] = A[words], one of them the host's",
                       .axes = TransferAxes::names,
                       .variants = kVariants,
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
                       .tolerance = [](const Problem&) { return Tolerance{.reason = "words are moved, not computed"}; },
                   });

// What a transpose is, which shapes it is verified and timed on, and what it must cost at least.
#include "ops/transpose/operation.hpp"

#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0, 0),     extents(0, 7),      extents(1, 1),   extents(1, 1000),
                                 extents(1000, 1),  extents(31, 33),    extents(32, 32), extents(100, 113),
                                 extents(257, 129), extents(1024, 1024)};
constexpr Extents kCuda[] = {extents(10000, 10000), extents(1024, 1024)};
constexpr Extents kSimt[] = {extents(1024, 1024)};
constexpr Extents kCpu[] = {extents(10000, 10000), extents(1024, 1024)};

std::size_t count(const Problem& p) {
    const auto [rows, cols] = p.lengths<TransposeAxes>();
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

void reference(const TransposeArgs& a) {
    for (std::int64_t row = 0; row < a.rows; ++row)
        for (std::int64_t col = 0; col < a.cols; ++col) a.out[col * a.rows + row] = a.in[row * a.cols + col];
}

}  // namespace

LANEWORK_OPERATION(
    transpose,
    {
        .summary = "B[cols×rows] = A[rows×cols]ᵀ",
        .axes = TransposeAxes::names,
        .verified = kVerified,
        .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
        .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
            return {{"in", Role::input, p.dtype, count(p)}, {"out", Role::output, p.dtype, count(p)}};
        },
        .work = [](const Problem& p) { return Work{.bytes_read = 4 * count(p), .bytes_written = 4 * count(p)}; },
        .fill =
            [](const Problem& p, std::uint64_t seed, const Buffers& b) {
                const auto [in] = b.arrays<std::int32_t>();
                fill_uniform(in, count(p), seed);
            },
        .inputs = kHardIntegers,
        .reference = reference,
        .tolerance = [](const Problem&) { return Tolerance{.reason = "elements are moved, not computed"}; },
    });

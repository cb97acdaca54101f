// What a transpose is, which shapes it is verified and timed on, and what it must cost at least.
#include "ops/transpose/operation.hpp"

#include <algorithm>
#include <lanework/operation.hpp>

#include "src/core/fill.hpp"
#include "src/core/hard_inputs.hpp"
#include "src/core/in_parts.hpp"

namespace {

constexpr Extents kVerified[] = {extents(0, 0),     extents(0, 7),     extents(1, 1),     extents(1, 1000),
                                 extents(1000, 1),  extents(3, 6144),  extents(9, 1024),  extents(31, 33),
                                 extents(32, 32),   extents(100, 113), extents(257, 129), extents(265, 5),
                                 extents(272, 160), extents(300, 3),   extents(601, 275), extents(1024, 1024)};
constexpr Extents kCuda[] = {extents(10000, 10000), extents(1024, 1024)};
constexpr Extents kSimt[] = {extents(1024, 1024)};
constexpr Extents kCpu[] = {extents(10000, 10000), extents(1024, 1024)};

std::size_t count(const Problem& p) {
    const auto [rows, cols] = p.lengths<TransposeAxes>();
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

/// Where, on an H100, whole sectors are worth that some rows are read twice: from 12 Mi elements on, of single bytes
/// from twice as many (results/h100/transpose-ragged-*.json), and where tiles are full.
bool is_large(const Problem& p) {
    const auto [rows, cols] = p.lengths<TransposeAxes>();
    return rows * cols >= (std::int64_t{size_of(p.dtype) == 1 ? 24 : 12} << 20) && std::min(rows, cols) >= 4000;
}
/// Where, on an H100, every multiprocessor should have a part (results/h100/transpose-small-*.json).
bool is_small(const Problem& p) {
    return static_cast<std::int64_t>(count(p)) <= std::int64_t{size_of(p.dtype) == 1 ? 11 : 2} << 20;
}
/// Where joined_rows fits and is the faster of the two (results/h100/transpose-narrow-*.json).
bool is_narrow(const Problem& p) {
    const auto [rows, cols] = p.lengths<TransposeAxes>();
    return std::min(rows, cols) <= 31 || !is_small(p);
}
constexpr Preference kChoice[] = {
    {"joined_rows", is_narrow}, {"sheared_tile", is_large}, {"vectorized"}, {"small_tile", is_small}, {"realigned"}};

template <class T>
void reference(const TransposeArgsOf<T>& a) {
    constexpr std::int64_t kWorthAThread = 1 << 20, kBlock = 64;
    const std::int64_t least = kWorthAThread / std::max<std::int64_t>(a.rows, 1);
    in_parts(a.cols, std::max(least, kBlock), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t first = 0; first < a.rows; first += kBlock)
            for (std::int64_t col = begin; col < end; ++col)
                for (std::int64_t row = first; row < std::min(first + kBlock, a.rows); ++row)
                    a.out[col * a.rows + row] = a.in[row * a.cols + col];
    });
}

std::vector<BufferSpec> buffers(const Problem& p) {
    return {{"in", Role::input, p.dtype, count(p)}, {"out", Role::output, p.dtype, count(p)}};
}

}  // namespace

LANEWORK_OPERATION(
    transpose, {
                   .summary = "B[cols×rows] = A[rows×cols]ᵀ",
                   .axes = TransposeAxes::names,
                   .verified = kVerified,
                   .timed = {.cuda = kCuda, .simt = kSimt, .cpu = kCpu},
                   .buffers = buffers,
                   .work = [](const Problem& p) { return work_of(buffers(p)); },
                   .fill =
                       [](const Problem& p, std::uint64_t seed, const Buffers& b) {
                           const auto [in] = b.arrays<void>();
                           if (p.dtype == DType::int32)
                               fill_uniform(static_cast<std::int32_t*>(in), count(p), seed);
                           else
                               fill_uniform(static_cast<std::uint8_t*>(in), size_of(p.dtype) * count(p), seed);
                       },
                   .inputs = kHardIntegers,
                   .reference = {reference<std::int32_t>, reference<std::uint8_t>, reference<std::uint16_t>,
                                 reference<std::uint64_t>},
                   .tolerance = [](const Problem&) { return Tolerance{.reason = "elements are moved, not computed"}; },
                   .choice = kChoice,
               });

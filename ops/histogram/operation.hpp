// Histogram: how often each of the 256 values occurs among n bytes.
#pragma once

#include <lanework/rung.hpp>

#include "src/core/one_row.hpp"

namespace lanework {

inline constexpr int kBins = 256;

/// How the bytes are distributed, in the order of the operation's variants. The kernels do not know it.
enum class ByteDistribution : std::uint8_t { uniform, skewed };

LANEWORK_AXES(HistogramAxes, n);

struct HistogramArgs {
    using Element = std::uint8_t;
    const Element* in;      ///< n bytes
    std::uint64_t* counts;  ///< kBins: occurrences of 0, 1, …, 255
    std::int64_t n;         ///< may exceed 2^32
    void* workspace;        ///< the bytes that the rung asked for
    std::int64_t cols;      ///< bytes of a row: n where they lie side by side
    std::int64_t pitch;     ///< bytes from a row to the next; of one row nobody reads it

    static HistogramArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, counts] = buffers.arrays<const Element, std::uint64_t>();
        const auto [n] = problem.lengths<HistogramAxes>();
        return {in, counts, n, buffers.workspace, n, n};
    }
};

}  // namespace lanework

using histogram_signature = lanework::Signature<lanework::HistogramArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

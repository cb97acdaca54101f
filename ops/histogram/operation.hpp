// Histogram: how often each of the 256 values occurs among n bytes.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

inline constexpr int kBins = 256;

/// How the bytes are distributed, in the order of the operation's variants. The kernels do not know it.
enum class ByteDistribution : std::uint8_t { uniform, skewed };

struct HistogramArgs {
    using Element = std::uint8_t;
    const Element* in;      ///< n bytes
    std::uint64_t* counts;  ///< kBins: occurrences of 0, 1, …, 255
    std::int64_t n;         ///< may exceed 2^32
    void* workspace;        ///< the bytes that the rung asked for

    static HistogramArgs from(const Problem& problem, const Buffers& buffers) {
        return {static_cast<const Element*>(buffers.data[0]), static_cast<std::uint64_t*>(buffers.data[1]),
                problem.extent[0], buffers.workspace};
    }
};

}  // namespace lanework

using histogram_signature = lanework::Signature<lanework::HistogramArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

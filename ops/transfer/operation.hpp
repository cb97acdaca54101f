// Transfer: an array crosses from the host to the device, or back. Its best rung is the ceiling of the link.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

/// In the order of the operation's variants.
enum class Direction : std::uint8_t { upload, download };

LANEWORK_AXES(TransferAxes, words);

/// One of the arrays is the device's and the other the host's, in the kind of host memory that the rung asks for.
struct TransferArgs {
    using Element = std::int32_t;
    const Element* in;  ///< words; the host's if it is an upload
    Element* out;       ///< words; the host's if it is a download
    std::int64_t words;
    Direction direction;
    Prepared* prepared;  ///< what the rung prepared, if anything

    static TransferArgs from(const Problem& problem, const Buffers& buffers) {
        const auto [in, out] = buffers.arrays<const Element, Element>();
        const auto [words] = problem.lengths<TransferAxes>();
        return {in, out, words, static_cast<Direction>(problem.variant), buffers.prepared};
    }
    std::size_t bytes() const { return static_cast<std::size_t>(words) * sizeof(Element); }
};

}  // namespace lanework

using transfer_signature = lanework::Signature<lanework::TransferArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

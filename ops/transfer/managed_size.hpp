// How much managed memory a rung may ask for.
#pragma once

#include "ops/transfer/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Words of one managed array: 128 MiB. Managed memory beyond what the card has free can hang it.
inline constexpr std::int64_t kMostManagedWords = std::int64_t{1} << 25;

inline std::string_view refuse_beyond_managed(const Problem& p) {
    return p.lengths<TransferAxes>().words <= kMostManagedWords
               ? std::string_view()
               : "managed memory stays below 128 MiB: more than a card has free can hang it";
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

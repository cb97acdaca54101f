// How many threads a team may have.
#pragma once

#include <lanework/rung.hpp>

namespace lanework {

/// More than processors have, and fewer than a system refuses to start.
inline constexpr int kMostThreads = 1024;

/// The same team. Throws UsageError for less than one thread or more than kMostThreads.
Team checked(Team team);

}  // namespace lanework

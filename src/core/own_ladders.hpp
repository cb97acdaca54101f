// Rungs that are no part of this build: of ladders that a user wrote, which the program has loaded.
#pragma once

#include <lanework/operation.hpp>

namespace lanework {

/// Puts the rung on the operation's ladder; both stay for the rest of the process. The operation is found by its
/// address alone: its name may be that of one of ours. Not while another thread asks the registry.
void adopt_rung(const Operation& operation, const Rung& rung);

}  // namespace lanework

// How many threads a call from another language computes on.
#pragma once

namespace lanework::native {

/// `wanted`, or for 0 all that there are; one in a process that was forked. Such a process has none of its parent's
/// threads, but the runtime of OpenMP waits for them: it may use only the one it has.
int team_of(int wanted);

}  // namespace lanework::native

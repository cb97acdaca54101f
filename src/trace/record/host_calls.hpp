// Where the host called CUDA from: the addresses that its callers return to, which become a line when it is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/trace/analyse/hazard.hpp"

namespace lanework {

/// Return addresses, the innermost first; none of what a kernel calls.
using HostCalls = std::vector<std::uint64_t>;

HostCalls host_callers();
/// The innermost line that the program's author wrote; line 0 where there is none.
SourcePlace program_line(const HostCalls& calls, const PlaceOf& place_of);

/// How `place` is called in a sentence about `from`: "line 12", of another file "line 12 of other.cu".
std::string line_text(const SourcePlace& place, const SourcePlace& from);

}  // namespace lanework

// What `lanework check` says of a program.
#pragma once

#include <string>

#include "src/draw/style.hpp"
#include "src/program/watched_run.hpp"

namespace lanework {

/// The findings, numbered, with evidence and remedy; a line that says how much was checked. Without its last line's
/// end.
std::string draw_check(const std::string& title, const WatchedOutcome& outcome, const Style& style);

/// {"schema":1,"program","status","launches","kernels","findings":[…]}
std::string check_to_json(const std::string& title, const WatchedOutcome& outcome);

}  // namespace lanework

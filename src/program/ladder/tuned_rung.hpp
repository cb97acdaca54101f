// A rung with other values for its constants: its file is compiled again and the library loaded, at run time. Rungs of
// the library's own operations and of a user's ladders alike.
#pragma once

#include <lanework/operation.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/program/build.hpp"
#include "src/program/ladder/tuning.hpp"

namespace lanework {

/// The values of these names as the rung has them; without those that are no plain number (a grid that follows from a
/// size). Throws UsageError that lists what the rung has, UnavailableError where its source is not here.
Tunings tuning_as_it_stands(const Rung& rung, std::span<const std::string> names);

/// Of a rung that has this name under others what these are, "kTile × kRows" of `block`; of one that has not why, where
/// that is known. Else empty.
std::string what_is_swept(const Rung& rung, const std::string& name);

/// What can be given: "block", "in_flight"; of a kernel that its ladder launches also "grid", "block" and "shared".
std::vector<std::string> tunable_names(const Rung& rung);

/// The rung itself, named as a tuned one: "naive block=256". It stays for the rest of the process.
const Rung& renamed_rung(const Rung& rung, const Tunings& tunings);

/// The rung with these values, named "naive block=64", which climbs from `base`; compiled where that was not done
/// before. It stays for the rest of the process. What the compiler says is not shown. Throws CompilationError with its
/// first error, UnavailableError, UsageError.
const Rung& tuned_rung(const Rung& rung, const Tunings& tunings, std::string_view base, const Build& build);

}  // namespace lanework

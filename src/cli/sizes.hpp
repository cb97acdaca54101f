// The shapes that --size and --sweep ask for.
#pragma once

#include <cstdint>
#include <lanework/operation.hpp>
#include <string>
#include <vector>

namespace lanework {

/// The shapes of an operation that `sizes` lists ("1000,2^20" or "64x64,128x128") and `sweeps` run through, in this
/// order; of several sweeps the last runs fastest. A sweep is "AXIS=FROM..TO", which doubles, "AXIS=FROM..TO*FACTOR" or
/// "AXIS=FROM..TO+STEP"; AXIS is one of the operation's or `size`, which is all that a size needs. What no sweep names
/// is as in `sizes`, or else as in `usual`. Throws UsageError for what cannot be read or is too large.
std::vector<Extents> parse_shapes(const Operation& operation, const std::string& sizes,
                                  const std::vector<std::string>& sweeps, DType dtype, const Extents& usual);

/// A sweep as it was typed: what it runs over, and the values.
struct Sweep {
    std::string axis;
    std::vector<std::int64_t> values;
};
/// Throws UsageError for what cannot be read.
Sweep parse_sweep(const std::string& text);

/// Whether the sweep runs over sizes: over an axis of the operation, or `size`.
bool sweeps_sizes(const Operation& operation, const std::string& sweep);
/// "rows, cols, and `size` for all of them".
std::string axes_to_sweep(const Operation& operation);

}  // namespace lanework

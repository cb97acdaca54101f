// The fastest that a rung was seen to run: what ceilings and surveys are made of.
#pragma once

#include "src/measure/measure.hpp"

namespace lanework {

/// Seconds of the fastest run: with caches evicted, and back to back on the same data; 0 where it was not asked for.
struct Fastest {
    double cold = 0, hot = 0;
};

/// Samples for the whole time, not until the figure is steady: it is to be beaten by nobody. Nothing when the rung
/// refuses or fails. The rung is not verified here.
std::optional<Fastest> fastest(Device& device, const Operation& operation, const Rung& rung, const Problem& problem,
                               double seconds, References& references, bool hot = false);

/// Whether the rung computes what it should on a small problem of this type and variant: what it leaves out would make
/// it fast.
bool computes_right(Device& device, const Operation& operation, const Rung& rung, const Problem& like);

}  // namespace lanework

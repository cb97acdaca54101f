// What a datasheet allows: the one bound that no measurement moves.
#pragma once

#include <lanework/device.hpp>
#include <lanework/measurement.hpp>

#include "src/measure/ceilings.hpp"

namespace lanework {

/// The least seconds for the work by the published peak of what bounds it; 0 where nobody publishes one.
double published_limit(const DeviceInfo& device, const Work& work, DType dtype, const Limit& limit,
                       Arithmetic arithmetic = Arithmetic::any);

}  // namespace lanework

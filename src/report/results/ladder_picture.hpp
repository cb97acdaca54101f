// A ladder as a picture: each rung a bar towards the limit, its time beside it, libraries on the same scale.
#pragma once

#include "src/report/results/results.hpp"

namespace lanework {

/// An SVG, light or dark as its reader prefers, of the first measurement that has times and of all others of its
/// operation, problem, type and device, in their order. A bar's length is the share of the limit that the cold median
/// reaches, or where there is no limit, of the fastest's speed. An empty title: the operation and the device. Throws
/// UsageError where nothing was measured.
std::string ladder_svg(std::span<const Measurement> measurements, const std::string& title);

}  // namespace lanework

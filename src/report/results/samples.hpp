// How the samples of a measurement are spread.
#pragma once

#include <lanework/measurement.hpp>
#include <string>

#include "src/draw/table.hpp"

namespace lanework {

/// Samples as columns of characters from the least to the most, each as high as it has samples: "▁▃█▂ ▁".
std::string histogram(std::span<const double> samples, std::size_t columns);

/// Least, percentiles, most and histogram of the cold samples; a row for each measurement that has some.
Table samples_table(std::span<const Measurement> measurements);

}  // namespace lanework

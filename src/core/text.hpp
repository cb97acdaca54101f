// Figures as people read them: times, bytes, rates, with three significant digits and the right unit.
#pragma once

#include <cstdint>
#include <string>

namespace lanework {

std::string format_seconds(double seconds);             ///< "1.23 ms"
std::string format_bytes(std::uint64_t bytes);          ///< "381 MiB"
std::string format_bandwidth(double bytes_per_second);  ///< "4.31 TB/s", decimal units
std::string format_flops(double flops_per_second);      ///< "51.2 TFLOP/s"
std::string format_rate(double per_second);             ///< "51.2 G/s": events, decimal units
std::string format_percent(double fraction);            ///< "93.1%"

}  // namespace lanework

// Figures as people read them.
#include "src/core/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace lanework {
namespace {

// Three significant digits without an exponent: 1.23, 12.3, 123, 1234.
std::string three_digits(double value) {
    const double magnitude = std::abs(value);
    return fmt::format("{:.{}f}", value, magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2);
}

template <std::size_t N>
std::string scaled(double value, double step, const std::array<const char*, N>& units) {
    std::size_t unit = 0;
    while (unit + 1 < N && std::abs(value) >= step * 0.9995) {
        value /= step;
        ++unit;
    }
    return fmt::format("{} {}", three_digits(value), units[unit]);
}

}  // namespace

std::string format_seconds(double seconds) {
    if (seconds == 0) return "0 s";
    if (std::abs(seconds) >= 0.9995) return three_digits(seconds) + " s";
    return scaled(seconds * 1e9, 1000, std::array{"ns", "µs", "ms", "s"});
}

std::string format_bytes(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    return scaled(static_cast<double>(bytes), 1024, std::array{"B", "KiB", "MiB", "GiB", "TiB"});
}

std::string format_bandwidth(double bytes_per_second) {
    return scaled(bytes_per_second, 1000, std::array{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"});
}

std::string format_flops(double flops_per_second) {
    return scaled(flops_per_second, 1000, std::array{"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s"});
}

std::string format_rate(double per_second) {
    return scaled(per_second, 1000, std::array{"/s", "k/s", "M/s", "G/s", "T/s"});
}

std::string format_percent(double fraction) { return fmt::format("{:.1f}%", fraction * 100); }

}  // namespace lanework

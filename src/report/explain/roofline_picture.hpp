// The roofline: the arithmetic that a device can do per second, over the arithmetic that a kernel does per byte. To the
// left of the ridge memory is the bound, to its right arithmetic is.
#pragma once

#include <optional>
#include <vector>

#include "src/draw/style.hpp"

namespace lanework {

struct RooflinePoint {
    std::string label;
    /// Operations per byte moved; 0 for a kernel without arithmetic, which has no place in the picture.
    double intensity = 0;
    /// Operations per second, measured or estimated; none: the point lies on the roof.
    std::optional<double> rate = {};
};

struct RooflineChart {
    /// What the roofs are of: "NVIDIA H200, published".
    std::string device;
    /// Bytes and operations per second, above 0.
    double bandwidth = 0;
    double peak = 0;
    std::vector<RooflinePoint> points;
    /// What the points are of: "matmul/naive 512x512x512 float32"; empty for several things.
    std::string subject = {};

    /// "Roofline of matmul/naive 512x512x512 float32 on NVIDIA H200, published".
    std::string title() const { return "Roofline of " + (subject.empty() ? "" : subject + " on ") + device; }
    /// Operations per byte at which both roofs meet.
    double ridge() const { return peak / bandwidth; }
    /// The operations per second that the roofs allow.
    double roof(double intensity) const { return intensity < ridge() ? intensity * bandwidth : peak; }
};

/// "shared_tile: 8.00 FLOP per byte, bound by memory: at most 38.4 TFLOP/s".
std::string describe_point(const RooflineChart& roofline, const RooflinePoint& point);
std::string draw_roofline(const RooflineChart& roofline, const Style& style);
std::string roofline_svg(const RooflineChart& roofline);

}  // namespace lanework

// Boxes as people and files describe them: edges, edges and angles, or vectors; and which directions are periodic.
#pragma once

#include <lanework/neighbors.hpp>
#include <string>
#include <string_view>

namespace lanework {

using BoxVectors = std::array<std::array<double, 3>, 3>;

/// Vectors of a box with edges a, b, c and angles in degrees: alpha between b and c, beta between a and c, gamma
/// between a and b. The first lies along x, the second in the plane of x and y. Angles of 60, 90 and 120 degrees have
/// exact cosines. Throws UsageError when such edges and angles close no box.
BoxVectors box_from_edges(const std::array<double, 3>& edges, const std::array<double, 3>& angles);

/// Reads "a,b,c", "a,b,c,alpha,beta,gamma" or nine components of three vectors; in two dimensions "a,b" or
/// "ax,ay,bx,by". Throws UsageError that says what was found.
BoxVectors parse_box(std::string_view text, int dimensions);

/// Reads which directions are periodic: letters of "xyz", or "none". x stands for the first box vector, and so on.
/// Throws UsageError.
std::array<bool, 3> parse_periodic(std::string_view text, int dimensions);

/// Throws UsageError for periodic directions without a box vector, or vectors that span no volume. What is open is not
/// looked at.
void check_box(const PeriodicBox& box);

/// "xyz", "xy" or "none".
std::string periodic_text(const std::array<bool, 3>& periodic);

}  // namespace lanework

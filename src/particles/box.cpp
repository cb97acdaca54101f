// Boxes from text.
#include "src/particles/box.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "src/particles/basis.hpp"
#include "src/particles/checks.hpp"

namespace lanework {
namespace {

constexpr std::string_view kAxes = "xyz";

/// Exact where crystals need it: a rounded cosine of 90 degrees would skew every box a little.
double cosine(double degrees) {
    if (degrees == 90) return 0;
    if (degrees == 60) return 0.5;
    if (degrees == 120) return -0.5;
    return std::cos(degrees * std::numbers::pi / 180);
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<double> parse_numbers(std::string_view text) {
    std::vector<double> numbers;
    for (std::string_view rest = text;;) {
        const auto comma = rest.find(',');
        const std::string_view part = trimmed(rest.substr(0, comma));
        double value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(value))
            throw UsageError(fmt::format("--box `{}`: `{}` is not a finite number", text, part));
        numbers.push_back(value);
        if (comma == rest.npos) return numbers;
        rest.remove_prefix(comma + 1);
    }
}

BoxVectors diagonal(const std::vector<double>& edges) {
    BoxVectors vectors{};
    for (std::size_t k = 0; k < edges.size(); ++k) {
        if (!(edges[k] > 0))
            throw UsageError(fmt::format("the box has an edge of {}; edges must be longer than 0", edges[k]));
        vectors[k][k] = edges[k];
    }
    return vectors;
}

BoxVectors plane_box(std::string_view text, const std::vector<double>& n) {
    if (n.size() == 2) return diagonal(n);
    if (n.size() == 4) return {{{n[0], n[1], 0}, {n[2], n[3], 0}, {}}};
    throw UsageError(
        fmt::format("--box `{}` has {} numbers; in two dimensions a box is a,b or ax,ay,bx,by", text, n.size()));
}

}  // namespace

BoxVectors box_from_edges(const std::array<double, 3>& edges, const std::array<double, 3>& angles) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(edges[k] > 0) || !std::isfinite(edges[k]))
            throw UsageError(fmt::format("the box has an edge of {}; edges must be longer than 0", edges[k]));
        if (!(angles[k] > 0 && angles[k] < 180))
            throw UsageError(
                fmt::format("the box has an angle of {} degrees; angles must be between 0 and 180", angles[k]));
    }
    const double cos_alpha = cosine(angles[0]), cos_beta = cosine(angles[1]), cos_gamma = cosine(angles[2]);
    const double sin_gamma = std::sqrt(1 - cos_gamma * cos_gamma);
    const double across = (cos_alpha - cos_beta * cos_gamma) / sin_gamma;
    const double height = 1 - cos_beta * cos_beta - across * across;
    if (!(height > 1e-12))
        throw UsageError(fmt::format("angles of {}, {} and {} degrees close no box", angles[0], angles[1], angles[2]));
    return {{{edges[0], 0, 0},
             {edges[1] * cos_gamma, edges[1] * sin_gamma, 0},
             {edges[2] * cos_beta, edges[2] * across, edges[2] * std::sqrt(height)}}};
}

BoxVectors parse_box(std::string_view text, int dimensions) {
    const std::vector<double> n = parse_numbers(text);
    if (dimensions == 2) return plane_box(text, n);
    if (n.size() == 3) return diagonal(n);
    if (n.size() == 6) return box_from_edges({n[0], n[1], n[2]}, {n[3], n[4], n[5]});
    if (n.size() == 9) return {{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]}}};
    throw UsageError(
        fmt::format("--box `{}` has {} numbers; a box is a,b,c or a,b,c,alpha,beta,gamma or nine components of vectors",
                    text, n.size()));
}

std::array<bool, 3> parse_periodic(std::string_view text, int dimensions) {
    std::array<bool, 3> periodic{};
    if (text == "none") return periodic;
    for (const char letter : text) {
        const auto axis = kAxes.substr(0, static_cast<std::size_t>(dimensions)).find(letter);
        if (axis == text.npos || periodic[axis]) text = {};
        if (text.empty()) break;
        periodic[axis] = true;
    }
    if (text.empty())
        throw UsageError(fmt::format("--pbc takes letters of {}, each once, or none",
                                     kAxes.substr(0, static_cast<std::size_t>(dimensions))));
    return periodic;
}

void check_box(const PeriodicBox& box) {
    for (std::size_t k = 0; k < 3; ++k)
        if (box.periodic[k] && box.vectors[k] == std::array<double, 3>{})
            throw UsageError(fmt::format("direction {} is periodic, but it has no box vector; give --box", kAxes[k]));
    check_vectors(box, 0);
    if (!make_basis(box, true).independent) refuse_box(box, 0);
}

std::string periodic_text(const std::array<bool, 3>& periodic) {
    std::string text;
    for (std::size_t k = 0; k < 3; ++k)
        if (periodic[k]) text += kAxes[k];
    return text.empty() ? "none" : text;
}

}  // namespace lanework

// Sobel: the strength of edges of an 8-bit gray image. Both forms are integer arithmetic, so every device gives the
// same bytes.
//
// With p the image and its border continued by reflection about the outermost pixels (reflect-101: gfedcb|abcdefgh):
//   Gx = (p[y-1][x+1] + 2 p[y][x+1] + p[y+1][x+1]) - (p[y-1][x-1] + 2 p[y][x-1] + p[y+1][x-1])
//   Gy = (p[y+1][x-1] + 2 p[y+1][x] + p[y+1][x+1]) - (p[y-1][x-1] + 2 p[y-1][x] + p[y-1][x+1])
#pragma once

#include <cstdint>
#include <lanework/rung.hpp>

namespace lanework {

/// In the order of the operation's variants: (|Gx| + |Gy|) / 2 rounded down, or sqrt(Gx² + Gy²) rounded to nearest;
/// values above 255 become 255.
enum class SobelForm : std::uint8_t { half_sum, magnitude };

/// Both arrays start at multiples of 16 bytes, as those of Device::allocate do.
struct SobelArgs {
    using Element = std::uint8_t;
    const Element* gray;  ///< height × width, rows tightly packed
    Element* edges;       ///< height × width
    std::int64_t height, width;
    SobelForm form;

    static SobelArgs from(const Problem& problem, const Buffers& buffers) {
        return {static_cast<const Element*>(buffers.data[0]), static_cast<Element*>(buffers.data[1]), problem.extent[0],
                problem.extent[1], static_cast<SobelForm>(problem.variant)};
    }
    bool empty() const { return height == 0 || width == 0; }
};

/// Where reflect-101 finds index -1 … length; length ≥ 1, and a single pixel is its own neighbour.
template <class Index>
constexpr Index reflect(Index index, Index length) {
    if (length == 1) return 0;
    return index < 0 ? -index : index >= length ? 2 * length - 2 - index : index;
}

inline constexpr int kBrightest = 255;

/// Calls body.operator()<form>() for the form that is known only when the program runs.
template <class Body>
void with_form(SobelForm form, const Body& body) {
    switch (form) {
        case SobelForm::half_sum: return body.template operator()<SobelForm::half_sum>();
        case SobelForm::magnitude: return body.template operator()<SobelForm::magnitude>();
    }
}

}  // namespace lanework

using sobel_signature = lanework::Signature<lanework::SobelArgs>;
using namespace lanework;  // NOLINT: read by this operation's rungs only

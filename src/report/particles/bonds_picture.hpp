// A picture of atoms and of the pairs in their neighbour list, seen along an axis.
#pragma once

#include <filesystem>
#include <lanework/image_file.hpp>
#include <lanework/particle_system.hpp>

#include "src/draw/svg.hpp"

namespace lanework {

/// A straight line between two points, or a disc around the first.
struct BondsMark {
    enum class Kind : std::uint8_t { bond, stub, atom };
    Kind kind;
    double depth;  ///< greater is nearer to the eye
    Point from, to;
    double size;     ///< width of a line, radius of a disc
    double clarity;  ///< 1 in front; less for what lies farther back
    Tone tone;
};

struct BondsLegend {
    Tone tone;
    std::string text;
};

/// What is drawn, in pixels of the natural size, before it is known by what.
struct BondsPicture {
    double width = 0, height = 0;
    std::vector<BondsMark> marks;               ///< from back to front
    std::vector<std::array<Point, 2>> outline;  ///< edges of the box
    std::string title;
    std::vector<BondsLegend> legend;
    double scale_bar = 0;  ///< its length in pixels
    std::string scale_text;
};

/// Each pair is drawn once; one that reaches through a periodic boundary as two stubs, each from its atom half of the
/// way. Colours are species where there are several, else numbers of neighbours. `axis` is x, y or z, the direction of
/// view; the scale bar is in Å. The list must have its vectors and shifts.
template <class T>
BondsPicture bonds_picture(const ParticleSystem& system, const NeighborList<T>& list, bool half, char axis,
                           const std::string& title);

/// The most marks of an SVG: viewers open no more. Throws UsageError beyond.
inline constexpr std::size_t kMostSvgMarks = 300'000;
std::string bonds_to_svg(const BondsPicture& picture);
/// At twice the natural size. Throws UsageError where the bonds would cover it a hundred times.
Image bonds_to_image(const BondsPicture& picture);

/// The bytes of an .svg or .png. Throws UsageError for other extensions, as check_bonds_form does without a picture.
std::vector<std::uint8_t> bonds_file(const std::filesystem::path& path, const BondsPicture& picture);
void check_bonds_form(const std::filesystem::path& path);

}  // namespace lanework

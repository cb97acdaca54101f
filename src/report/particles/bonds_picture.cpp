// Lays a picture of bonds out: projection, order from back to front, colours, and what explains them.
#include "src/report/particles/bonds_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "src/report/particles/neighbors.hpp"

namespace lanework {
namespace {

constexpr double kLargest = 860, kMargin = 28, kTitleHeight = 36, kFooterHeight = 40, kLeastWidth = 360;
constexpr double kBondShare = 0.2, kLeastRadius = 1, kMostRadius = 11, kBondWidth = 0.42;
constexpr double kFarClarity = 0.45;
constexpr double kMostCovered = 0.6, kThinnestBond = 0.5;
constexpr double kSeen = 0.12, kMostSeenRadius = 3;

using Vec = std::array<double, 3>;

/// Right, up and towards the eye.
struct View {
    std::size_t right, up, towards;
    double sign;  ///< of the component towards the eye

    Vec operator()(const Vec& x) const { return {x[right], x[up], sign * x[towards]}; }
};

View view_along(char axis) {
    switch (axis) {
        case 'x': return {1, 2, 0, 1};
        case 'y': return {0, 2, 1, -1};
        case 'z': return {0, 1, 2, 1};
        default: throw UsageError(fmt::format("a view along `{}`: there are x, y and z", axis));
    }
}

class Bounds {
public:
    void add(const Vec& x) {
        for (std::size_t k = 0; k < 3; ++k) {
            low_[k] = empty_ ? x[k] : std::min(low_[k], x[k]);
            high_[k] = empty_ ? x[k] : std::max(high_[k], x[k]);
        }
        empty_ = false;
    }
    double low(std::size_t k) const { return low_[k]; }
    double high(std::size_t k) const { return high_[k]; }
    double extent(std::size_t k) const { return high_[k] - low_[k]; }

private:
    Vec low_{}, high_{};
    bool empty_ = true;
};

/// Corners of the part of the box that is periodic: 1, 2, 4 or 8, the edges between them being one vector long.
struct Corner {
    Vec at;
    unsigned vectors;  ///< one bit for each that leads here from the origin
};

std::vector<Corner> corners_of(const ParticleSystem& system) {
    std::vector<Corner> corners;
    for (unsigned vectors = 0; vectors < 8; ++vectors) {
        Corner corner{system.origin, vectors};
        bool there = true;
        for (std::size_t k = 0; k < 3; ++k) {
            if (!(vectors >> k & 1)) continue;
            there = there && system.box.periodic[k];
            for (std::size_t axis = 0; axis < 3; ++axis) corner.at[axis] += system.box.vectors[k][axis];
        }
        if (there) corners.push_back(corner);
    }
    return corners;
}

bool one_vector_apart(const Corner& a, const Corner& b) {
    const unsigned between = a.vectors ^ b.vectors;
    return a.vectors < b.vectors && (between & (between - 1)) == 0;
}

/// A bond in three dimensions.
struct Bond {
    Vec from, to;
    bool stub;
};

Vec moved(Vec x, const Vec& d, double times) {
    for (std::size_t k = 0; k < 3; ++k) x[k] += times * d[k];
    return x;
}

template <class T>
std::vector<Bond> bonds_of(const ParticleSystem& system, const NeighborList<T>& list, bool half) {
    std::vector<Bond> bonds;
    for (std::int64_t i = 0; i < list.atoms(); ++i)
        for (auto pair = static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i)]);
             pair < static_cast<std::size_t>(list.offsets[static_cast<std::size_t>(i) + 1]); ++pair) {
            const std::int64_t j = list.indices[pair];
            const Vec x = system.position(i),
                      d{static_cast<double>(list.vectors[pair][0]), static_cast<double>(list.vectors[pair][1]),
                        static_cast<double>(list.vectors[pair][2])};
            if (list.shifts[pair] == CellShift{}) {
                if (half || i < j) bonds.push_back({x, system.position(j), false});
                continue;
            }
            bonds.push_back({x, moved(x, d, 0.5), true});
            if (half) bonds.push_back({system.position(j), moved(system.position(j), d, -0.5), true});
        }
    return bonds;
}

double shortest_of(const std::vector<Bond>& bonds) {
    double shortest = std::numeric_limits<double>::infinity();
    for (const Bond& bond : bonds) {
        const Vec d = moved(bond.to, bond.from, -1);
        const double length = std::hypot(d[0], d[1], d[2]) * (bond.stub ? 2 : 1);
        if (length > 0) shortest = std::min(shortest, length);
    }
    return shortest;
}

/// The tone of every atom and what the tones mean.
struct Colouring {
    std::vector<Tone> tones;
    std::vector<BondsLegend> legend;
};

Colouring by_species(const ParticleSystem& system) {
    Colouring colouring;
    for (const std::int32_t species : system.species) colouring.tones.push_back(hue(static_cast<std::size_t>(species)));
    for (std::size_t s = 0; s < std::min<std::size_t>(system.species_names.size(), kHues); ++s)
        colouring.legend.push_back({hue(s), system.species_names[s]});
    if (system.species_names.size() > kHues)
        colouring.legend.back().text += fmt::format(" and others, {} in all", system.species_names.size());
    return colouring;
}

Colouring by_coordination(const std::vector<std::int64_t>& counts) {
    Colouring colouring;
    if (counts.empty()) return colouring;
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    const std::int64_t width = (*most - *least) / static_cast<std::int64_t>(kHues) + 1;
    std::set<std::int64_t> used;
    for (const std::int64_t count : counts) {
        used.insert((count - *least) / width);
        colouring.tones.push_back(hue(static_cast<std::size_t>((count - *least) / width)));
    }
    for (const std::int64_t bin : used) {
        const std::int64_t first = *least + bin * width;
        colouring.legend.push_back(
            {hue(static_cast<std::size_t>(bin)),
             width == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + width - 1)});
    }
    colouring.legend.back().text += colouring.legend.back().text == "1" ? " neighbour" : " neighbours";
    return colouring;
}

/// The longest of 1, 2 and 5 times a power of ten that is at most this.
double round_length(double most) {
    const double power = std::pow(10, std::floor(std::log10(most)));
    for (const double digit : {5.0, 2.0})
        if (digit * power <= most) return digit * power;
    return power;
}

/// From lengths of the system to pixels.
class Projection {
public:
    Projection(const View& view, const Bounds& bounds) : view_(view), bounds_(bounds) {
        const double most = std::max({bounds.extent(0), bounds.extent(1), 1e-12});
        scale_ = kLargest / (bounds.extent(0) == 0 && bounds.extent(1) == 0 ? kLargest / 40 : most);
    }
    double scale() const { return scale_; }
    Point operator()(const Vec& x) const {
        const Vec seen = view_(x);
        return {kMargin + (seen[0] - bounds_.low(0)) * scale_,
                kTitleHeight + kMargin + (bounds_.high(1) - seen[1]) * scale_};
    }
    /// 0 at the back, 1 in front.
    double depth(const Vec& x) const {
        return bounds_.extent(2) > 0 ? (view_(x)[2] - bounds_.low(2)) / bounds_.extent(2) : 1;
    }

private:
    View view_;
    Bounds bounds_;
    double scale_ = 1;
};

double clarity_at(double depth) { return kFarClarity + (1 - kFarClarity) * std::clamp(depth, 0.0, 1.0); }

/// How many times more than kMostCovered of the picture its bonds would cover at this width, each by itself; 1 where
/// they cover less. Bonds of a crowd are thin and faint and lie behind all atoms, which would be hidden otherwise.
double crowding_of(const std::vector<Bond>& bonds, const Projection& project, double width,
                   const BondsPicture& picture) {
    double area = 0;
    for (const Bond& bond : bonds) {
        const Point from = project(bond.from), to = project(bond.to);
        area += width * std::hypot(to.x - from.x, to.y - from.y);
    }
    const double inside = (picture.width - 2 * kMargin) * (picture.height - 2 * kMargin - kTitleHeight - kFooterHeight);
    return inside > 0 ? std::max(1.0, area / inside / kMostCovered) : 1;
}

/// Atoms that are seen however close the closest two are: discs of this share of the picture.
double seen_radius(std::int64_t atoms, const BondsPicture& picture) {
    const double inside = (picture.width - 2 * kMargin) * (picture.height - 2 * kMargin - kTitleHeight - kFooterHeight);
    const double each = kSeen * std::max(0.0, inside) / static_cast<double>(std::max<std::int64_t>(1, atoms));
    return std::clamp(std::sqrt(each / std::numbers::pi), kLeastRadius, kMostSeenRadius);
}

void set_scale_bar(BondsPicture& picture, double scale) {
    const double length = round_length(0.25 * (picture.width - 2 * kMargin) / scale);
    picture.scale_bar = length * scale;
    picture.scale_text = fmt::format("{} Å", length);
}

}  // namespace

template <class T>
BondsPicture bonds_picture(const ParticleSystem& system, const NeighborList<T>& list, bool half, char axis,
                           const std::string& title) {
    const View view = view_along(axis);
    const std::vector<Bond> bonds = bonds_of(system, list, half);
    const std::vector<Corner> corners = corners_of(system);
    Bounds bounds;
    for (const Bond& bond : bonds) bounds.add(view(bond.to));
    for (std::int64_t atom = 0; atom < system.atoms(); ++atom) bounds.add(view(system.position(atom)));
    if (corners.size() > 1)
        for (const Corner& corner : corners) bounds.add(view(corner.at));

    const Projection project(view, bounds);
    BondsPicture picture;
    picture.width = std::max(bounds.extent(0) * project.scale() + 2 * kMargin, kLeastWidth);
    picture.height = bounds.extent(1) * project.scale() + 2 * kMargin + kTitleHeight + kFooterHeight;
    picture.title = title;
    for (const Corner& a : corners)
        for (const Corner& b : corners)
            if (one_vector_apart(a, b)) picture.outline.push_back({project(a.at), project(b.at)});

    const double shortest = shortest_of(bonds);
    const double radius =
        std::clamp(std::isfinite(shortest) ? kBondShare * shortest * project.scale() : 5, kLeastRadius, kMostRadius);
    const double width = 2 * kBondWidth * radius, crowding = crowding_of(bonds, project, width, picture);
    const double disc = std::max(radius, seen_radius(system.atoms(), picture));
    for (const Bond& bond : bonds) {
        const double from = project.depth(bond.from), to = project.depth(bond.to);
        const double clarity = clarity_at((from + to) / 2);
        // As far back as its farther end: it covers neither of its atoms.
        picture.marks.push_back({bond.stub ? BondsMark::Kind::stub : BondsMark::Kind::bond,
                                 crowding > 1 ? -1 : std::min(from, to), project(bond.from), project(bond.to),
                                 std::max(std::min(kThinnestBond, width), width / crowding) * clarity, clarity,
                                 crowding > 1 ? Tone::faint : Tone::ink});
    }
    const Colouring colouring =
        system.species_names.size() > 1 ? by_species(system) : by_coordination(coordination(list, half));
    picture.legend = colouring.legend;
    for (std::int64_t atom = 0; atom < system.atoms(); ++atom) {
        const Vec x = system.position(atom);
        const double depth = project.depth(x);
        picture.marks.push_back({BondsMark::Kind::atom, depth, project(x), project(x), disc, clarity_at(depth),
                                 colouring.tones[static_cast<std::size_t>(atom)]});
    }
    // Of equal depth bonds are below atoms, as they were added.
    std::stable_sort(picture.marks.begin(), picture.marks.end(),
                     [](const BondsMark& a, const BondsMark& b) { return a.depth < b.depth; });
    set_scale_bar(picture, project.scale());
    return picture;
}

template BondsPicture bonds_picture(const ParticleSystem&, const NeighborList<float>&, bool, char, const std::string&);
template BondsPicture bonds_picture(const ParticleSystem&, const NeighborList<double>&, bool, char, const std::string&);

}  // namespace lanework

// The candidates of the atoms of one cell, in the order of the list. Sorting them once per cell sorts the neighbours of
// every atom in it: what passes the test comes out in order, and nothing is sorted after. Where a cutoff well beyond
// the box makes them too many to be held, they are found in that order, portion after portion.
#pragma once

#include <functional>

#include "src/particles/cells.hpp"
#include "src/particles/sift.hpp"

namespace lanework {

/// The smallest cuboid around points.
struct Cuboid {
    Vec3<double> low{1e308, 1e308, 1e308}, high{-1e308, -1e308, -1e308};

    void add(const Vec3<double>& p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    double squared_distance(const Vec3<double>& p) const {
        const double x = std::max({low.x - p.x, p.x - high.x, 0.0}), y = std::max({low.y - p.y, p.y - high.y, 0.0}),
                     z = std::max({low.z - p.z, p.z - high.z, 0.0});
        return x * x + y * y + z * z;
    }
    Vec3<double> middle() const { return {(low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2}; }
    double squared_distance_to_corner(const Vec3<double>& p) const {
        const double x = std::max(high.x - p.x, p.x - low.x), y = std::max(high.y - p.y, p.y - low.y),
                     z = std::max(high.z - p.z, p.z - low.z);
        return x * x + y * y + z * z;
    }
};

template <class T>
class Neighborhood {
public:
    Neighborhood(const Particles<T>& particles, const Cutoffs<T>& cutoffs) : particles_(particles), cutoffs_(cutoffs) {}

    /// Calls visit() for portion after portion of a cell's candidates, in their order.
    void gather(const Cells& cells, std::int64_t cell, const std::function<void()>& visit);
    /// What the portion is, to be had again by restore().
    std::span<const std::uint64_t> keys() const { return {keys_.data(), size_}; }
    /// The portion is all that the cell has.
    bool is_whole() const { return whole_; }
    void restore(const Cells& cells, std::span<const std::uint64_t> keys);

    /// To the next block of the portion's candidates; false behind the last.
    bool next_block();
    /// Makes the block ready for an atom of the cell; cheap when it is of the same type and was wrapped as the last.
    void turn_to(std::int32_t atom);

    /// Those of the block, valid until the next call of the above.
    Candidates<T> candidates() const;
    /// Where that atom is.
    const Vec3<T>& position() const { return position_; }
    /// The slots of the block in front of the atom itself, and those behind it, which are what a half list holds.
    std::int64_t before_self() const { return before_self_; }
    std::int64_t behind_self() const { return behind_self_; }
    /// j in the numbering of the particles, and S.
    std::int32_t atom(std::int64_t slot) const { return j_[static_cast<std::size_t>(slot)]; }
    const Shift& shift(std::int64_t slot) const { return s_[static_cast<std::size_t>(slot)]; }

    /// Candidates that are sorted at a time, and those that are made ready for testing.
    static constexpr std::size_t kMostKeys = std::size_t{1} << 20, kBlock = std::size_t{1} << 16;

private:
    void begin(const Cells& cells);
    bool scan(std::int64_t cell);
    void add(const CellRun& run);
    void sort_keys();
    void find_in_order(const std::function<void()>& visit);
    void visit_portion(const std::function<void()>& visit);
    void unpack();
    void set_wrap(const Image3& wrap);
    void set_type(std::int32_t type);

    const Particles<T>& particles_;
    const Cutoffs<T>& cutoffs_;
    const Cells* cells_ = nullptr;
    std::vector<std::uint64_t> keys_, spare_;  // atom in the system, number of the image
    std::size_t size_ = 0;                     // of the keys that are meant
    bool whole_ = false;
    Cuboid home_;  // around the atoms of the cell
    int code_bits_ = 0;
    std::vector<std::int64_t> places_;  // of the atoms, in their order; only where candidates come in portions
    const Cells* places_are_of_ = nullptr;
    std::size_t block_ = 0, block_size_ = 0;  // the first of the block's keys, and how many
    std::vector<T> x_, y_, z_, tx_, ty_, tz_, limit_;
    std::vector<std::int32_t> j_;
    std::vector<Image3> images_;
    std::vector<Shift> s_;
    bool wrap_set_ = false, type_set_ = false;
    Image3 wrap_{};
    std::int32_t type_ = 0;
    Vec3<T> position_{};
    std::int64_t before_self_ = 0, behind_self_ = 0;
};

}  // namespace lanework

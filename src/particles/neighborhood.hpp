// All candidates of the atoms of one cell, in the order of the list. Sorting them once per cell sorts the neighbours of
// every atom in it: what passes the test comes out in order, and nothing is sorted after.
#pragma once

#include "src/particles/cells.hpp"
#include "src/particles/sift.hpp"

namespace lanework {

template <class T>
class Neighborhood {
public:
    Neighborhood(const Particles<T>& particles, const Cutoffs<T>& cutoffs) : particles_(particles), cutoffs_(cutoffs) {}

    /// Gathers the candidates of a cell.
    void gather(const Cells& cells, std::int64_t cell);
    /// What gather() found, to be had again by restore().
    std::span<const std::uint64_t> keys() const { return keys_; }
    void restore(const Cells& cells, std::span<const std::uint64_t> keys);
    /// Makes ready for an atom of that cell; cheap when it is of the same type and was wrapped as the last.
    void turn_to(std::int32_t atom);

    /// Valid until the next call of the above.
    Candidates<T> candidates() const;
    /// The slot of the atom itself among its candidates. Those behind it are what a half list holds.
    std::int64_t self() const { return self_; }
    /// j in the numbering of the particles, and S.
    std::int32_t atom(std::int64_t slot) const { return j_[static_cast<std::size_t>(slot)]; }
    const Shift& shift(std::int64_t slot) const { return s_[static_cast<std::size_t>(slot)]; }

private:
    void begin(const Cells& cells);
    void collect(std::int64_t cell);
    void sort_keys();
    void unpack();
    void set_wrap(const Image3& wrap);
    void set_type(std::int32_t type);

    const Particles<T>& particles_;
    const Cutoffs<T>& cutoffs_;
    const Cells* cells_ = nullptr;
    std::vector<CellRun> runs_;
    std::vector<std::uint64_t> keys_, spare_;  // atom in the system, number of the image
    int code_bits_ = 0;
    std::vector<T> x_, y_, z_, tx_, ty_, tz_, limit_;
    std::vector<std::int32_t> j_;
    std::vector<Image3> images_, wraps_;
    std::vector<Shift> s_;
    bool wrap_set_ = false, type_set_ = false;
    Image3 wrap_{};
    std::int32_t type_ = 0;
    std::int64_t self_ = 0;
};

}  // namespace lanework

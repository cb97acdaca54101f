// The candidates of the atoms of one cell, in the order of the list. Sorting them once per cell sorts the neighbours of
// every atom in it: what passes the test comes out in order, and nothing is sorted after. Where a cutoff well beyond
// the box makes them too many to be held, they are found in that order, portion after portion.
#pragma once

#include <functional>
#include <tuple>

#include "src/particles/cells.hpp"
#include "src/particles/sift.hpp"
#include "src/particles/spare_room.hpp"

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
    Vec3<double> middle() const { return {low.x / 2 + high.x / 2, low.y / 2 + high.y / 2, low.z / 2 + high.z / 2}; }
    /// From the middle to the faces.
    Vec3<double> half() const { return {high.x / 2 - low.x / 2, high.y / 2 - low.y / 2, high.z / 2 - low.z / 2}; }
    double squared_distance_to_corner(const Vec3<double>& p) const {
        const double x = std::max(high.x - p.x, p.x - low.x), y = std::max(high.y - p.y, p.y - low.y),
                     z = std::max(high.z - p.z, p.z - low.z);
        return x * x + y * y + z * z;
    }
};

/// S, and 32 bits more, so that it is loaded and stored at once.
struct alignas(16) WideShift {
    std::int32_t a, b, c, unused;
};

template <class T>
class Neighborhood {
public:
    Neighborhood(const Particles<T>& particles, const Cutoffs<T>& cutoffs) : particles_(particles), cutoffs_(cutoffs) {
        room() = Spare::take();
    }
    ~Neighborhood() {
        std::apply([](auto&... arrays) { Spare::keep({std::move(arrays)...}); }, room());
    }
    Neighborhood(const Neighborhood&) = delete;
    Neighborhood& operator=(const Neighborhood&) = delete;

    /// Calls visit() for portion after portion of a cell's candidates, in their order.
    void gather(const Cells& cells, std::int64_t cell, const std::function<void()>& visit);
    /// What the portion is, to be had again by restore().
    std::span<const std::uint64_t> keys() const { return {keys_.data(), size_}; }
    /// The portion is all that the cell has.
    bool is_whole() const { return whole_; }
    void restore(const Cells& cells, std::int64_t cell, std::span<const std::uint64_t> keys);

    /// To the next block of the portion's candidates; false behind the last.
    bool next_block();
    /// Makes the block ready for an atom of the cell; cheap when it is of the same type and was wrapped as the last,
    /// and comes after it.
    void turn_to(std::int32_t atom);

    /// Those of the block, valid until the next call of the above.
    const Candidates<T>& candidates() const { return candidates_; }
    const Centre<T>& centre() const { return centre_; }
    /// The slots of the block from here on are what a half list may hold.
    std::int64_t behind_self() const { return behind_self_; }
    /// By slot: j in the numbering of the particles, and S.
    const std::int32_t* atoms() const { return j_.data(); }
    const WideShift* shifts() const { return s_.data(); }

    /// Candidates that are sorted at a time, and those that are made ready for testing.
    static constexpr std::size_t kMostKeys = std::size_t{1} << 20, kBlock = std::size_t{1} << 16;

private:
    /// An image: S, and its translation.
    struct Moved {
        WideShift s;
        Vec3<T> t;
    };

    using Spare = SpareRoom<std::uint64_t, std::uint64_t, T, T, T, T, T, T, T, float, float, float, float, float,
                            std::int32_t, WideShift>;
    /// The arrays whose elements mean nothing before unpack(), scan() or sort_keys().
    auto room() {
        return std::tie(keys_, spare_, x_, y_, z_, tx_, ty_, tz_, limit_, seen_x_, seen_y_, seen_z_, sure_, maybe_, j_,
                        s_);
    }

    void begin(const Cells& cells, std::int64_t cell);
    void list_images();
    void look_from_home();
    bool scan(std::int64_t cell);
    void add(const CellRun& run);
    void sort_keys();
    void find_in_order(const std::function<void()>& visit);
    void visit_portion(const std::function<void()>& visit);
    void unpack();
    void set_wrap(const Image3& wrap);
    void move_listed();
    void move_one_by_one();
    void see();
    void set_type(std::int32_t type);
    Thresholds thresholds(T limit) const;
    void centre_on(std::int32_t atom);

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
    std::vector<float> seen_x_, seen_y_, seen_z_, sure_, maybe_;
    std::vector<std::int32_t> j_;
    std::vector<WideShift> s_;
    std::vector<Moved> listed_;  // by the image's number, where nothing is wrapped and there are few images; else empty
    Candidates<T> candidates_{};
    bool wrap_set_ = false, type_set_ = false;
    Image3 wrap_{};
    std::int32_t type_ = 0;
    Vec3<double> origin_{};  // of what is seen …
    double scale_ = 0;       // … and its unit's inverse; 0 where nothing can be seen in single precision
    double blur_ = 0;        // how far from what it is a length may be seen
    Centre<T> centre_{};
    std::int64_t behind_self_ = 0;
    const SiftKernels<T> kernels_ = sift_kernels<T>();
    const KeysAround keys_around_ = lanework::keys_around();
};

}  // namespace lanework

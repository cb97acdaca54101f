// Gathering, sorting and unpacking the candidates of a cell.
#include "src/particles/neighborhood.hpp"

#include <algorithm>
#include <bit>

namespace lanework {
namespace {

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
};

constexpr std::size_t kFewKeys = 192;  // sorted by comparing: sooner done than clearing the counters of a radix sort
constexpr int kDigitBits = 10;

/// Sorts keys of `bits` bits; `spare` is as long.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare, int bits) {
    constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    spare.resize(keys.size());
    for (int shift = 0; shift < bits; shift += kDigitBits) {
        std::uint32_t next[kDigits] = {};
        for (const std::uint64_t key : keys) ++next[key >> shift & (kDigits - 1)];
        std::uint32_t sum = 0;
        for (std::uint32_t& digit : next) sum += std::exchange(digit, sum);
        for (const std::uint64_t key : keys) spare[next[key >> shift & (kDigits - 1)]++] = key;
        keys.swap(spare);
    }
}

int bits_for(std::uint64_t values) { return std::bit_width(values > 0 ? values - 1 : 0); }

bool same(const Image3& u, const Image3& v) { return u.a == v.a && u.b == v.b && u.c == v.c; }

}  // namespace

template <class T>
void Neighborhood<T>::begin(const Cells& cells) {
    cells_ = &cells;
    const std::int32_t* const bias = cells.grid().bias;
    code_bits_ = bits_for((2 * std::uint64_t(bias[0]) + 1) * (2 * std::uint64_t(bias[1]) + 1) *
                          (2 * std::uint64_t(bias[2]) + 1));
    wrap_set_ = type_set_ = false;
}

template <class T>
void Neighborhood<T>::gather(const Cells& cells, std::int64_t cell) {
    begin(cells);
    collect(cell);
    sort_keys();
    unpack();
}

template <class T>
void Neighborhood<T>::restore(const Cells& cells, std::span<const std::uint64_t> keys) {
    begin(cells);
    keys_.assign(keys.begin(), keys.end());
    unpack();
}

template <class T>
void Neighborhood<T>::collect(std::int64_t cell) {
    const Grid& grid = cells_->grid();
    cells_->neighborhood(cell, runs_);
    Cuboid home;
    for (std::int64_t place = cells_->begin(cell); place < cells_->end(cell); ++place) home.add(cells_->wrapped(place));
    std::size_t most = 0;
    for (const CellRun& run : runs_) most += static_cast<std::size_t>(run.end - run.begin);
    keys_.resize(most);
    std::uint64_t* to = keys_.data();
    const double ball = grid.ball * grid.ball;
    const auto& r = grid.basis.reduced;
    for (const CellRun& run : runs_) {
        const Image3& s = run.image;
        const auto along = [&](int axis) { return s.a * r[0][axis] + s.b * r[1][axis] + s.c * r[2][axis]; };
        const Vec3<double> t{along(0), along(1), along(2)};
        const std::uint64_t code = image_code(grid, in_box_vectors(grid.basis, s));
        for (std::int64_t place = run.begin; place < run.end; ++place) {
            const Vec3<double>& p = cells_->wrapped(place);
            *to = static_cast<std::uint64_t>(cells_->atom(place)) << code_bits_ | code;
            to += home.squared_distance({p.x + t.x, p.y + t.y, p.z + t.z}) < ball;
        }
    }
    keys_.resize(static_cast<std::size_t>(to - keys_.data()));
}

template <class T>
void Neighborhood<T>::sort_keys() {
    if (keys_.size() <= kFewKeys)
        std::sort(keys_.begin(), keys_.end());
    else
        radix_sort(keys_, spare_, code_bits_ + bits_for(static_cast<std::uint64_t>(cells_->atoms())));
}

template <class T>
void Neighborhood<T>::unpack() {
    const std::size_t count = keys_.size(), padded = count + kSiftPadding;
    for (auto* array : {&x_, &y_, &z_, &tx_, &ty_, &tz_, &limit_})
        if (array->size() < padded) array->resize(padded + padded / 2);
    j_.resize(count);
    images_.resize(count);
    s_.resize(count);
    const std::uint64_t code_mask = (std::uint64_t{1} << code_bits_) - 1;
    const auto dimensions = static_cast<std::size_t>(particles_.dimensions);
    const T* const positions =
        particles_.positions.data() + static_cast<std::size_t>(cells_->first_atom()) * dimensions;
    std::uint64_t last_code = ~std::uint64_t{0};
    Image3 image{};
    for (std::size_t k = 0; k < count; ++k) {
        const auto atom = static_cast<std::size_t>(keys_[k] >> code_bits_);
        const T* const x = positions + atom * dimensions;
        x_[k] = x[0];
        y_[k] = x[1];
        z_[k] = dimensions == 3 ? x[2] : 0;
        j_[k] = static_cast<std::int32_t>(cells_->first_atom()) + static_cast<std::int32_t>(atom);
        if (const std::uint64_t code = keys_[k] & code_mask; code != last_code) {
            image = image_of_code(cells_->grid(), static_cast<std::uint32_t>(code));
            last_code = code;
        }
        images_[k] = image;
    }
}

template <class T>
void Neighborhood<T>::set_wrap(const Image3& wrap) {
    if (wrap_set_ && same(wrap, wrap_)) return;
    wrap_set_ = true;
    wrap_ = wrap;
    const Basis& basis = cells_->grid().basis;
    Image3 last{};
    Vec3<T> t = translation<T>(last, basis.box);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
        Image3 s = images_[k];
        if (!cells_->all_inside()) {
            const Image3 more =
                pair_shift(basis, {0, 0, 0}, wrap, cells_->wrap(static_cast<std::int32_t>(keys_[k] >> code_bits_)));
            s = {s.a + more.a, s.b + more.b, s.c + more.c};
        }
        if (!same(s, last)) t = translation<T>(last = s, basis.box);
        s_[k] = {s.a, s.b, s.c};
        tx_[k] = t.x;
        ty_[k] = t.y;
        tz_[k] = t.z;
    }
}

template <class T>
void Neighborhood<T>::set_type(std::int32_t type) {
    if (type_set_ && type == type_) return;
    type_set_ = true;
    type_ = type;
    const std::size_t count = keys_.size();
    const T* const row =
        cutoffs_.squared.data() + static_cast<std::size_t>(type) * static_cast<std::size_t>(cutoffs_.types);
    if (cutoffs_.by_type)
        for (std::size_t k = 0; k < count; ++k) limit_[k] = row[particles_.types[static_cast<std::size_t>(j_[k])]];
    else
        std::fill_n(limit_.begin(), count, row[0]);
    std::fill_n(limit_.begin() + static_cast<std::ptrdiff_t>(count), kSiftPadding, T{-1});
}

template <class T>
void Neighborhood<T>::turn_to(std::int32_t atom) {
    set_wrap(cells_->wrap(atom));
    set_type(cutoffs_.by_type ? particles_.types[static_cast<std::size_t>(cells_->first_atom() + atom)] : 0);
    const std::uint64_t key = static_cast<std::uint64_t>(atom) << code_bits_ | image_code(cells_->grid(), {0, 0, 0});
    self_ = std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin();
}

template <class T>
Candidates<T> Neighborhood<T>::candidates() const {
    return {x_.data(),  y_.data(),  z_.data(),     tx_.data(),
            ty_.data(), tz_.data(), limit_.data(), static_cast<std::int64_t>(keys_.size())};
}

template class Neighborhood<float>;
template class Neighborhood<double>;

}  // namespace lanework

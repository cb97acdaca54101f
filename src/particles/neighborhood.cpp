// Gathering, sorting and unpacking the candidates of a cell.
#include "src/particles/neighborhood.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "src/particles/images_in_ball.hpp"

namespace lanework {
namespace {

constexpr std::size_t kFewKeys = 192;  // sorted by comparing: sooner done than clearing the counters of a radix sort
constexpr int kDigitBits = 10;

/// Sorts the first `size` keys, which have `bits` bits; `spare` becomes as long.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare, std::size_t size, int bits) {
    constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    if (spare.size() < keys.size()) spare.resize(keys.size());
    for (int shift = 0; shift < bits; shift += kDigitBits) {
        std::uint32_t next[kDigits] = {};
        for (std::size_t k = 0; k < size; ++k) ++next[keys[k] >> shift & (kDigits - 1)];
        std::uint32_t sum = 0;
        for (std::uint32_t& digit : next) sum += std::exchange(digit, sum);
        for (std::size_t k = 0; k < size; ++k) spare[next[keys[k] >> shift & (kDigits - 1)]++] = keys[k];
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
}

template <class T>
void Neighborhood<T>::gather(const Cells& cells, std::int64_t cell, const std::function<void()>& visit) {
    begin(cells);
    home_ = {};
    for (std::int64_t place = cells.begin(cell); place < cells.end(cell); ++place) home_.add(cells.wrapped(place));
    whole_ = scan(cell);
    if (!whole_) return find_in_order(visit);
    sort_keys();
    visit_portion(visit);
}

template <class T>
void Neighborhood<T>::restore(const Cells& cells, std::span<const std::uint64_t> keys) {
    begin(cells);
    if (keys_.size() < keys.size()) keys_.resize(keys.size());
    std::copy(keys.begin(), keys.end(), keys_.begin());
    size_ = keys.size();
    block_ = block_size_ = 0;
}

/// Collects the cell's candidates; false, with some of them, where there are more than kMostKeys.
template <class T>
bool Neighborhood<T>::scan(std::int64_t cell) {
    size_ = 0;
    return cells_->for_each_run(cell, [&](CellRun run) {
        for (const std::int64_t end = run.end; run.begin < end; run.begin = run.end) {
            run.end = std::min(end, run.begin + static_cast<std::int64_t>(kBlock));
            const std::size_t needed = size_ + static_cast<std::size_t>(run.end - run.begin);
            if (needed > kMostKeys) return false;
            if (needed > keys_.size()) {
                const std::size_t size = std::min(std::max(needed, keys_.size() * 2), kMostKeys);
                keys_.reserve(size);
                keys_.resize(size);
            }
            add(run);
        }
        return true;
    });
}

template <class T>
void Neighborhood<T>::add(const CellRun& run) {
    const Grid& grid = cells_->grid();
    const double ball = grid.ball * grid.ball;
    const auto& r = grid.basis.reduced;
    const Image3& s = run.image;
    const auto along = [&](int axis) { return s.a * r[0][axis] + s.b * r[1][axis] + s.c * r[2][axis]; };
    const Vec3<double> t{along(0), along(1), along(2)};
    const std::uint64_t code = image_code(grid, in_box_vectors(grid.basis, s));
    std::uint64_t* to = keys_.data() + size_;
    for (std::int64_t place = run.begin; place < run.end; ++place) {
        const Vec3<double>& p = cells_->wrapped(place);
        *to = static_cast<std::uint64_t>(cells_->atom(place)) << code_bits_ | code;
        to += home_.squared_distance({p.x + t.x, p.y + t.y, p.z + t.z}) < ball;
    }
    size_ = static_cast<std::size_t>(to - keys_.data());
}

/// Atom after atom of the system, image after image around the cell.
template <class T>
void Neighborhood<T>::find_in_order(const std::function<void()>& visit) {
    if (places_are_of_ != cells_) {
        places_.resize(static_cast<std::size_t>(cells_->atoms()));
        for (std::int64_t place = 0; place < cells_->atoms(); ++place)
            places_[static_cast<std::size_t>(cells_->atom(place))] = place;
        places_are_of_ = cells_;
    }
    const Grid& grid = cells_->grid();
    const double ball = grid.ball * grid.ball;
    const Vec3<double> middle = home_.middle();
    const ImagesInBall images(grid, grid.ball + std::sqrt(home_.squared_distance_to_corner(middle)));
    keys_.resize(std::max(keys_.size(), kBlock));
    size_ = 0;
    for (std::size_t atom = 0; atom < places_.size(); ++atom) {
        const Vec3<double>& p = cells_->wrapped(places_[atom]);
        images.visit({p.x - middle.x, p.y - middle.y, p.z - middle.z}, [&](const Image3& s, const Vec3<double>& x) {
            if (!(home_.squared_distance({x.x + middle.x, x.y + middle.y, x.z + middle.z}) < ball)) return;
            keys_[size_++] = static_cast<std::uint64_t>(atom) << code_bits_ | image_code(grid, s);
            if (size_ == kBlock) visit_portion(visit);
        });
    }
    visit_portion(visit);
}

template <class T>
void Neighborhood<T>::visit_portion(const std::function<void()>& visit) {
    block_ = block_size_ = 0;
    visit();
    size_ = 0;
}

template <class T>
void Neighborhood<T>::sort_keys() {
    if (size_ <= kFewKeys)
        std::sort(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(size_));
    else
        radix_sort(keys_, spare_, size_, code_bits_ + bits_for(static_cast<std::uint64_t>(cells_->atoms())));
}

template <class T>
bool Neighborhood<T>::next_block() {
    block_ += block_size_;
    block_size_ = std::min(size_ - block_, kBlock);
    if (block_size_ == 0) return false;
    unpack();
    wrap_set_ = type_set_ = false;
    return true;
}

template <class T>
void Neighborhood<T>::unpack() {
    const std::size_t count = block_size_, padded = count + kSiftPadding;
    for (auto* array : {&x_, &y_, &z_, &tx_, &ty_, &tz_, &limit_})
        if (array->size() < padded) array->resize(padded + padded / 2);
    j_.resize(count);
    images_.resize(count);
    s_.resize(count);
    const std::uint64_t code_mask = (std::uint64_t{1} << code_bits_) - 1;
    const auto dimensions = static_cast<std::size_t>(particles_.dimensions);
    const T* const positions =
        particles_.positions.data() + static_cast<std::size_t>(cells_->first_atom()) * dimensions;
    const std::uint64_t* const keys = keys_.data() + block_;
    std::uint64_t last_code = ~std::uint64_t{0};
    Image3 image{};
    for (std::size_t k = 0; k < count; ++k) {
        const auto atom = static_cast<std::size_t>(keys[k] >> code_bits_);
        const T* const x = positions + atom * dimensions;
        x_[k] = x[0];
        y_[k] = x[1];
        z_[k] = dimensions == 3 ? x[2] : 0;
        j_[k] = static_cast<std::int32_t>(cells_->first_atom()) + static_cast<std::int32_t>(atom);
        if (const std::uint64_t code = keys[k] & code_mask; code != last_code) {
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
    const std::uint64_t* const keys = keys_.data() + block_;
    for (std::size_t k = 0; k < block_size_; ++k) {
        Image3 s = images_[k];
        if (!cells_->all_inside()) {
            const Image3 more =
                pair_shift(basis, {0, 0, 0}, wrap, cells_->wrap(static_cast<std::int32_t>(keys[k] >> code_bits_)));
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
    const std::size_t count = block_size_;
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
    const std::uint64_t *const first = keys_.data() + block_, *const last = first + block_size_;
    const std::uint64_t* const self = std::lower_bound(first, last, key);
    before_self_ = self - first;
    behind_self_ = before_self_ + (self != last && *self == key ? 1 : 0);
    const auto dimensions = static_cast<std::size_t>(particles_.dimensions);
    const T* const x = particles_.positions.data() + static_cast<std::size_t>(cells_->first_atom() + atom) * dimensions;
    position_ = {x[0], x[1], dimensions == 3 ? x[2] : T{0}};
}

template <class T>
Candidates<T> Neighborhood<T>::candidates() const {
    return {x_.data(),  y_.data(),  z_.data(),     tx_.data(),
            ty_.data(), tz_.data(), limit_.data(), static_cast<std::int64_t>(block_size_)};
}

template class Neighborhood<float>;
template class Neighborhood<double>;

}  // namespace lanework

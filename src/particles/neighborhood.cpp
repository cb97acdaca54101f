// Gathering, sorting and unpacking the candidates of a cell.
#include "src/particles/neighborhood.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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

// Cutoffs that can be a unit: no coordinate overflows where its rounding alone is less. And blurs (of a cutoff) that
// leave most pairs sure.
constexpr double kLeastSeen = 1e-200, kMostSeen = 1e200, kMostBlur = 0.25;
constexpr std::uint64_t kMostListed = 343;  // images: as many as cutoffs of three boxes reach

}  // namespace

template <class T>
void Neighborhood<T>::begin(const Cells& cells, std::int64_t cell) {
    if (cells_ != &cells) {
        cells_ = &cells;
        list_images();
    }
    home_ = {};
    for (std::int64_t place = cells.begin(cell); place < cells.end(cell); ++place) home_.add(cells.wrapped(place));
    look_from_home();
}

/// The translations of all images, where an atom's image says what its S is.
template <class T>
void Neighborhood<T>::list_images() {
    const Grid& grid = cells_->grid();
    const auto digits = [&](int k) { return 2 * static_cast<std::uint64_t>(grid.bias[k]) + 1; };
    const std::uint64_t images = digits(0) * digits(1) * digits(2);
    code_bits_ = bits_for(images);
    listed_.clear();
    if (!cells_->all_inside() || images > kMostListed) return;
    for (std::uint32_t code = 0; code < images; ++code) {
        const Image3 s = image_of_code(grid, code);
        listed_.push_back({{s.a, s.b, s.c, 0}, translation<T>(s, grid.basis.box)});
    }
}

/// Chooses the unit of what is seen and says how far it may be wrong: the cutoff with its margin is about 1, a
/// coordinate at most `reach`, and what is rounded to single precision a few units in the last place of that.
template <class T>
void Neighborhood<T>::look_from_home() {
    const double ball = cells_->grid().ball;
    const Vec3<double> half = home_.half();
    const double reach = 1.01 * (1 + std::max({half.x, half.y, half.z}) / ball);
    blur_ = 16 * std::numeric_limits<float>::epsilon() * (reach + 1);
    const bool clear = ball > kLeastSeen && ball < kMostSeen && blur_ < kMostBlur;
    scale_ = clear ? 1 / ball : 0;
}

template <class T>
void Neighborhood<T>::gather(const Cells& cells, std::int64_t cell, const std::function<void()>& visit) {
    begin(cells, cell);
    whole_ = scan(cell);
    if (!whole_) return find_in_order(visit);
    sort_keys();
    visit_portion(visit);
}

template <class T>
void Neighborhood<T>::restore(const Cells& cells, std::int64_t cell, std::span<const std::uint64_t> keys) {
    begin(cells, cell);
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
            if (const std::size_t room = needed + kSiftPadding; room > keys_.size()) {
                const std::size_t size = std::min(std::max(room, keys_.size() * 2), kMostKeys + kSiftPadding);
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
    const auto& r = grid.basis.reduced;
    const Image3& s = run.image;
    const auto along = [&](int axis) { return s.a * r[0][axis] + s.b * r[1][axis] + s.c * r[2][axis]; };
    const Surroundings around{home_.low, home_.high, grid.ball * grid.ball, {along(0), along(1), along(2)}};
    size_ += static_cast<std::size_t>(
        keys_around_(around, cells_->wrapped_from(run.begin, 0), cells_->wrapped_from(run.begin, 1),
                     cells_->wrapped_from(run.begin, 2), cells_->atoms_from(run.begin), run.end - run.begin, code_bits_,
                     image_code(grid, in_box_vectors(grid.basis, s)), keys_.data() + size_));
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
        const Vec3<double> p = cells_->wrapped(places_[atom]);
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
    behind_self_ = 0;
    return true;
}

template <class T>
void Neighborhood<T>::unpack() {
    const std::size_t count = block_size_, padded = count + kSiftPadding;
    if (j_.size() < padded) {
        const std::size_t room = padded + padded / 2;
        for (auto* array : {&x_, &y_, &z_, &tx_, &ty_, &tz_, &limit_}) array->resize(room);
        for (auto* array : {&seen_x_, &seen_y_, &seen_z_, &sure_, &maybe_}) array->resize(room);
        j_.resize(room);
        s_.resize(room);
    }
    const bool each = cutoffs_.by_type;
    candidates_ = {seen_x_.data(),
                   seen_y_.data(),
                   seen_z_.data(),
                   each ? sure_.data() : nullptr,
                   each ? maybe_.data() : nullptr,
                   {},
                   x_.data(),
                   y_.data(),
                   z_.data(),
                   tx_.data(),
                   ty_.data(),
                   tz_.data(),
                   limit_.data(),
                   static_cast<std::int64_t>(count)};
    const auto dimensions = static_cast<std::size_t>(particles_.dimensions);
    const auto first = static_cast<std::int32_t>(cells_->first_atom());
    const T* const positions =
        particles_.positions.data() + static_cast<std::size_t>(cells_->first_atom()) * dimensions;
    const std::uint64_t* const keys = keys_.data() + block_;
    for (std::size_t k = 0; k < count; ++k) {
        const auto atom = static_cast<std::size_t>(keys[k] >> code_bits_);
        const T* const x = positions + atom * dimensions;
        x_[k] = x[0];
        y_[k] = x[1];
        z_[k] = dimensions == 3 ? x[2] : 0;
        j_[k] = first + static_cast<std::int32_t>(atom);
    }
}

template <class T>
void Neighborhood<T>::set_wrap(const Image3& wrap) {
    if (wrap_set_ && wrap == wrap_) return;
    wrap_set_ = true;
    wrap_ = wrap;
    if (listed_.empty())
        move_one_by_one();
    else
        move_listed();
    see();
}

/// Nothing is wrapped: the image of a candidate is S.
template <class T>
void Neighborhood<T>::move_listed() {
    const std::uint64_t *const keys = keys_.data() + block_, code_mask = (std::uint64_t{1} << code_bits_) - 1;
    for (std::size_t k = 0; k < block_size_; ++k) {
        const Moved& image = listed_[keys[k] & code_mask];
        s_[k] = image.s;
        tx_[k] = image.t.x;
        ty_[k] = image.t.y;
        tz_[k] = image.t.z;
    }
}

template <class T>
void Neighborhood<T>::move_one_by_one() {
    const Basis& basis = cells_->grid().basis;
    const std::uint64_t *const keys = keys_.data() + block_, code_mask = (std::uint64_t{1} << code_bits_) - 1;
    std::uint64_t last_code = ~std::uint64_t{0};
    Image3 image{}, last{};
    Vec3<T> t = translation<T>(last, basis.box);
    for (std::size_t k = 0; k < block_size_; ++k) {
        if (const std::uint64_t code = keys[k] & code_mask; code != last_code) {
            image = image_of_code(cells_->grid(), static_cast<std::uint32_t>(code));
            last_code = code;
        }
        Image3 s = image;
        if (const Image3& wrap = cells_->wrap(static_cast<std::int32_t>(keys[k] >> code_bits_)); wrap != wrap_) {
            const Image3 more = pair_shift(basis, {0, 0, 0}, wrap_, wrap);
            s = {s.a + more.a, s.b + more.b, s.c + more.c};
        }
        if (s != last) t = translation<T>(last = s, basis.box);
        s_[k] = {s.a, s.b, s.c, 0};
        tx_[k] = t.x;
        ty_[k] = t.y;
        tz_[k] = t.z;
    }
}

/// The candidates as they are seen from the middle of the cell's atoms, those of them that are wrapped as the atom is.
template <class T>
void Neighborhood<T>::see() {
    const auto count = static_cast<std::int64_t>(block_size_);
    if (scale_ == 0) {
        for (auto* seen : {&seen_x_, &seen_y_, &seen_z_}) std::fill_n(seen->begin(), count, 0.0F);
    } else {
        const auto& r = cells_->grid().basis.reduced;
        const Vec3<double> middle = home_.middle();
        const auto away = [&](int axis) { return wrap_.a * r[0][axis] + wrap_.b * r[1][axis] + wrap_.c * r[2][axis]; };
        origin_ = {middle.x + away(0), middle.y + away(1), middle.z + away(2)};
        kernels_.see(x_.data(), tx_.data(), count, origin_.x, scale_, seen_x_.data());
        kernels_.see(y_.data(), ty_.data(), count, origin_.y, scale_, seen_y_.data());
        kernels_.see(z_.data(), tz_.data(), count, origin_.z, scale_, seen_z_.data());
    }
    for (auto* seen : {&seen_x_, &seen_y_, &seen_z_}) std::fill_n(seen->begin() + count, kSiftPadding, kUnseen);
}

/// What can be said in single precision of pairs whose squared cutoff is `limit`.
template <class T>
Thresholds Neighborhood<T>::thresholds(T limit) const {
    using Limits = std::numeric_limits<T>;
    if (!(limit > 0)) return {-1, -1};
    if (scale_ == 0 || limit < Limits::min() / (Limits::epsilon() * Limits::epsilon()) || limit > Limits::max() / 16)
        return {-1, HUGE_VALF};
    const double cutoff = std::sqrt(static_cast<double>(limit)) * scale_;
    const double doubt = (cells_->grid().ball - cutoffs_.largest) * scale_ + blur_;
    const double inner = std::max(cutoff - doubt, 0.0), outer = cutoff + doubt;
    return {static_cast<float>(inner * inner), static_cast<float>(outer * outer)};
}

template <class T>
void Neighborhood<T>::set_type(std::int32_t type) {
    if (type_set_ && type == type_) return;
    type_set_ = true;
    type_ = type;
    const std::size_t count = block_size_;
    const T* const row =
        cutoffs_.squared.data() + static_cast<std::size_t>(type) * static_cast<std::size_t>(cutoffs_.types);
    T limit = row[0];
    Thresholds near = thresholds(limit);
    if (cutoffs_.by_type) {
        for (std::size_t k = 0; k < count; ++k) {
            if (const T its = row[particles_.types[static_cast<std::size_t>(j_[k])]]; its != limit)
                near = thresholds(limit = its);
            limit_[k] = limit;
            sure_[k] = near.sure;
            maybe_[k] = near.maybe;
        }
    } else {
        candidates_.same = near;
        std::fill_n(limit_.begin(), count, limit);
    }
    std::fill_n(limit_.begin() + static_cast<std::ptrdiff_t>(count), kSiftPadding, T{-1});
}

template <class T>
void Neighborhood<T>::turn_to(std::int32_t atom) {
    set_wrap(cells_->wrap(atom));
    set_type(cutoffs_.by_type ? particles_.types[static_cast<std::size_t>(cells_->first_atom() + atom)] : 0);
    const std::uint64_t key = static_cast<std::uint64_t>(atom) << code_bits_ | image_code(cells_->grid(), {0, 0, 0});
    const std::uint64_t* const keys = keys_.data() + block_;
    auto slot = static_cast<std::size_t>(behind_self_);
    while (slot < block_size_ && keys[slot] < key) ++slot;
    behind_self_ = static_cast<std::int64_t>(slot);
    if (slot < block_size_ && keys[slot] == key) {
        centre_.given = {x_[slot], y_[slot], z_[slot]};
        centre_.seen = {seen_x_[slot], seen_y_[slot], seen_z_[slot]};
        centre_.self = behind_self_++;
    } else {
        centre_.self = -1;
        centre_on(atom);
    }
}

/// For an atom that is not in the block.
template <class T>
void Neighborhood<T>::centre_on(std::int32_t atom) {
    const auto dimensions = static_cast<std::size_t>(particles_.dimensions);
    const T* const x = particles_.positions.data() + static_cast<std::size_t>(cells_->first_atom() + atom) * dimensions;
    centre_.given = {x[0], x[1], dimensions == 3 ? x[2] : T{0}};
    const auto seen = [&](T at, double origin) {
        return scale_ == 0 ? 0 : static_cast<float>((static_cast<double>(at) - origin) * scale_);
    };
    centre_.seen = {seen(centre_.given.x, origin_.x), seen(centre_.given.y, origin_.y),
                    seen(centre_.given.z, origin_.z)};
}

template class Neighborhood<float>;
template class Neighborhood<double>;

}  // namespace lanework

// What suppression starts from on every device: the scratch memory, and which boxes are candidates.
#pragma once

#include "ops/nms/operation.hpp"
#include "ops/nms/overlap.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A candidate as it is compared.
struct BoxCandidate {
    Corners box;
    float area;
    std::int32_t label;  ///< its class; 0 where there are none
};

/// Box `index` of an image's.
constexpr BoxCandidate candidate_of(const NmsArgs& a, std::int64_t image, std::int64_t index) {
    const std::int64_t at = image * a.n + index;
    const float* const numbers = a.boxes + 4 * at;
    const Corners box = corners_of(a.form, numbers[0], numbers[1], numbers[2], numbers[3]);
    return {box, area_of(box), a.classes ? a.classes[at] : 0};
}

constexpr bool suppresses(const BoxCandidate& kept, const BoxCandidate& other, float threshold) {
    return kept.label == other.label && overlap_exceeds(kept.box, kept.area, other.box, other.area, threshold);
}

/// The same, as far as it is known without the division.
constexpr OverlapGuess guess_suppression(const BoxCandidate& kept, const BoxCandidate& other,
                                         const OverlapThreshold& threshold) {
    const OverlapGuess guess = guess_overlap(kept.box, kept.area, other.box, other.area, threshold);
    const bool same = kept.label == other.label;
    return {guess.above && same, guess.unsure && same};
}

/// Whether the score or a corner is no number.
constexpr bool is_dropped(float score, const Corners& box) {
    return !(is_number(score) && is_number(box.x1) && is_number(box.y1) && is_number(box.x2) && is_number(box.y2));
}

/// The place of box `index` in the order; `dropped` says whether it is not even compared.
constexpr std::uint64_t key_of(const NmsArgs& a, std::int64_t image, std::int64_t index, bool& dropped) {
    const float score = a.scores[image * a.n + index];
    dropped = is_dropped(score, candidate_of(a, image, index).box);
    return !dropped && score > a.score_threshold ? candidate_key(score, index) : kNoCandidate;
}

/// Writes what is kept as the `number`-th of its image.
constexpr void write_kept(const NmsArgs& a, std::int64_t image, std::int64_t number, std::int32_t index,
                          const Corners& box) {
    const std::int64_t at = image * a.capacity + number;
    a.indices[at] = index;
    if (!a.kept) return;
    corners_at(a.kept, at) =
        in_source(box, a.to_source ? a.to_source + image : nullptr, a.sizes ? a.sizes + image : nullptr);
}

/// What stands behind the last that is kept.
constexpr void write_none(const NmsArgs& a, std::int64_t at) {
    a.indices[at] = -1;
    if (a.kept) corners_at(a.kept, at) = {};
}

/// Parts of the scratch memory, each at a multiple of 16 bytes.
class ScratchParts {
public:
    explicit ScratchParts(void* begin) : next_(static_cast<unsigned char*>(begin)), begin_(next_) {}

    template <class T>
    T* take(std::int64_t count) {
        T* const part = reinterpret_cast<T*>(next_);
        next_ += (static_cast<std::size_t>(count) * sizeof(T) + 15) / 16 * 16;
        return part;
    }
    std::size_t bytes() const { return static_cast<std::size_t>(next_ - begin_); }

private:
    unsigned char *next_, *begin_;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// The arithmetic of nms on every device: corners, areas, when a box suppresses another, what order scores have. Every
// operation is rounded by itself.
#pragma once

#include <bit>
#include <cmath>
#include <lanework/detection.hpp>
#include <limits>

namespace lanework::inline LANEWORK_ON_DEVICE {

struct alignas(16) Corners {
    float x1, y1, x2, y2;
};

/// Box `index` of an array of corners that begins at a multiple of 16 bytes.
template <class Number>
constexpr Corners& corners_at(Number* numbers, std::int64_t index) {
    return reinterpret_cast<Corners*>(numbers)[index];
}

/// The corners of a box whose four numbers in the form are given.
constexpr Corners corners_of(BoxForm form, float a, float b, float c, float d) {
    if (form == BoxForm::xyxy) return {a, b, c, d};
    if (form == BoxForm::xywh) return {a, b, a + c, b + d};
    const float half_width = c * 0.5F, half_height = d * 0.5F;
    return {a - half_width, b - half_height, a + half_width, b + half_height};
}

constexpr bool is_number(float value) { return value == value; }

constexpr float area_of(const Corners& box) { return (box.x2 - box.x1) * (box.y2 - box.y1); }

/// The smaller and the larger of two numbers.
constexpr float lesser(float a, float b) {
#ifdef __CUDA_ARCH__
    return fminf(a, b);
#else
    return a < b ? a : b;
#endif
}
constexpr float greater(float a, float b) {
#ifdef __CUDA_ARCH__
    return fmaxf(a, b);
#else
    return a > b ? a : b;
#endif
}

/// Whether intersection / (area + area − intersection) > threshold. It is so of (a, b) when it is of (b, a).
constexpr bool overlap_exceeds(const Corners& a, float a_area, const Corners& b, float b_area, float threshold) {
    const float width = lesser(a.x2, b.x2) - greater(a.x1, b.x1), height = lesser(a.y2, b.y2) - greater(a.y1, b.y1);
    const float shared = (width > 0 ? width : 0.0F) * (height > 0 ? height : 0.0F);
    if (!(shared > 0) && threshold >= 0) return false;  // ±0 or NaN: the division can be saved
    return shared / ((a_area + b_area) - shared) > threshold;
}

/// A threshold, and what lies on either side of it beyond every rounding: nearly every quotient is told from it without
/// the division.
struct OverlapThreshold {
    float threshold, above, below;

    static constexpr OverlapThreshold of(float threshold) {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        if (!(threshold >= 0x1p-20F && threshold <= 0x1p20F)) return {threshold, kInfinity, -kInfinity};
        return {threshold, threshold * (1 + 0x1p-21F), threshold * (1 - 0x1p-21F)};
    }
};

/// What is known of a quotient and a threshold without the division.
struct OverlapGuess {
    bool above;   ///< it certainly exceeds the threshold
    bool unsure;  ///< overlap_exceeds() must be asked
};

/// Two products are rounded on the way to `above` and to `below` times the union, each by 2⁻²⁴ at most: quotients
/// within 2⁻²² of the threshold, and whatever is not a number or nearly 0, are unsure. Without a branch, so that
/// several pairs are under way at once.
constexpr OverlapGuess guess_overlap(const Corners& a, float a_area, const Corners& b, float b_area,
                                     const OverlapThreshold& threshold) {
    const float width = lesser(a.x2, b.x2) - greater(a.x1, b.x1), height = lesser(a.y2, b.y2) - greater(a.y1, b.y1);
    const float shared = greater(width, 0.0F) * greater(height, 0.0F), whole = (a_area + b_area) - shared;
    const bool tellable = whole > 0x1p-60F;
    const bool above = tellable & (shared > threshold.above * whole);
    const bool below = tellable & (shared < threshold.below * whole);
    return {above, !(above | below)};
}

/// Larger for a smaller number, for every number but NaN; zeros of both signs are equal.
constexpr std::uint32_t descending_bits(float score) {
    const auto bits = std::bit_cast<std::uint32_t>(score == 0 ? 0.0F : score);
    return (bits >> 31) != 0 ? bits : ~(bits | 0x80000000U);
}

/// Ascending keys are the order of the candidates. No candidate has the key of those that are none.
inline constexpr std::uint64_t kNoCandidate = ~std::uint64_t{0};
constexpr std::uint64_t candidate_key(float score, std::int64_t index) {
    return std::uint64_t{descending_bits(score)} << 32 | static_cast<std::uint32_t>(index);
}
constexpr std::int32_t index_of(std::uint64_t key) { return static_cast<std::int32_t>(key); }

/// What becomes of a kept box: mapped to its source image, in double, and clipped to it.
constexpr Corners in_source(const Corners& box, const Affine* to_source, const ImageSize* size) {
    Corners mapped = box;
    if (to_source) {
        const auto& m = to_source->m;
        mapped = {static_cast<float>(m[0][0] * double{box.x1} + m[0][2]),
                  static_cast<float>(m[1][1] * double{box.y1} + m[1][2]),
                  static_cast<float>(m[0][0] * double{box.x2} + m[0][2]),
                  static_cast<float>(m[1][1] * double{box.y2} + m[1][2])};
    }
    if (!size) return mapped;
    const auto clip = [](float value, std::int32_t end) {
        const auto most = static_cast<float>(end);
        return value < 0 ? 0.0F : value > most ? most : value;
    };
    return {clip(mapped.x1, size->width), clip(mapped.y1, size->height), clip(mapped.x2, size->width),
            clip(mapped.y2, size->height)};
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// Suppression on a CPU, class by class: sorting and parting candidates, and sharing the classes among threads. How a
// candidate is compared with kept boxes is the caller's.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "ops/nms/candidates.hpp"
#include "src/cpu/in_shares.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// The kept boxes of a class, one array for each number.
struct KeptBoxes {
    float *x1, *y1, *x2, *y2, *area;

    KeptBoxes from(std::int64_t k) const { return {x1 + k, y1 + k, x2 + k, y2 + k, area + k}; }
    void put(std::int64_t k, const BoxCandidate& candidate) const {
        x1[k] = candidate.box.x1;
        y1[k] = candidate.box.y1;
        x2[k] = candidate.box.x2;
        y2[k] = candidate.box.y2;
        area[k] = candidate.area;
    }
};

/// Whether one of kept boxes first … count − 1 suppresses the candidate.
using IsSuppressed = bool (*)(const KeptBoxes& kept, std::int64_t first, std::int64_t count, const BoxCandidate& own,
                              float threshold);

/// The candidates of one image. Their rank is their place by score, over all classes.
struct PartedImage {
    std::uint64_t *keys, *spare;  ///< n
    BoxCandidate* candidates;     ///< n: class after class, by rank within
    std::int32_t* ranks;          ///< n: of each of those
    std::int32_t* order;          ///< n: of each rank the box
    std::uint8_t* kept;           ///< n: of each rank whether it is kept
    std::int64_t* begins;         ///< n + 1: where the classes begin, and their end
    KeptBoxes boxes;              ///< n
    std::int64_t count = 0, classes = 0;

    PartedImage(std::int64_t n, ScratchParts& memory)
        : keys(memory.take<std::uint64_t>(n)),
          spare(memory.take<std::uint64_t>(n)),
          candidates(memory.take<BoxCandidate>(n)),
          ranks(memory.take<std::int32_t>(n)),
          order(memory.take<std::int32_t>(n)),
          kept(memory.take<std::uint8_t>(n)),
          begins(memory.take<std::int64_t>(n + 1)),
          boxes{memory.take<float>(n), memory.take<float>(n), memory.take<float>(n), memory.take<float>(n),
                memory.take<float>(n)} {}
};

/// Sorts by the upper half of the keys, a digit at a time; equal ones stay in order. Digits that are all equal cost one
/// look. `keys` and `spare` are exchanged as often as needed.
inline void sort_upper(std::uint64_t*& keys, std::uint64_t*& spare, std::int64_t count) {
    constexpr int kDigit = 11, kValues = 1 << kDigit;
    for (int shift = 32; shift < 64; shift += kDigit) {
        const auto digit = [&](std::uint64_t key) { return (key >> shift) % kValues; };
        std::array<std::int64_t, kValues> places{};
        for (std::int64_t i = 0; i < count; ++i) ++places[digit(keys[i])];
        if (count == 0 || places[digit(keys[0])] == count) continue;
        std::int64_t before = 0;
        for (std::int64_t& place : places) before += std::exchange(place, before);
        for (std::int64_t i = 0; i < count; ++i) spare[places[digit(keys[i])]++] = keys[i];
        std::swap(keys, spare);
    }
}

/// The candidates of an image by score, and those of each class side by side.
inline void part(const NmsArgs& a, std::int64_t image, PartedImage& p) {
    a.dropped[image] = 0;
    p.count = p.classes = 0;
    for (std::int64_t i = 0; i < a.n; ++i) {
        bool dropped = false;
        const std::uint64_t key = key_of(a, image, i, dropped);
        if (key != kNoCandidate) p.keys[p.count++] = key;
        a.dropped[image] += dropped ? 1 : 0;
    }
    sort_upper(p.keys, p.spare, p.count);
    if (a.top > 0) p.count = std::min(p.count, a.top);
    for (std::int64_t rank = 0; rank < p.count; ++rank) {
        p.order[rank] = index_of(p.keys[rank]);
        const std::int32_t label = a.classes ? a.classes[image * a.n + p.order[rank]] : 0;
        p.keys[rank] = std::uint64_t{static_cast<std::uint32_t>(label)} << 32 | static_cast<std::uint64_t>(rank);
    }
    sort_upper(p.keys, p.spare, p.count);
    for (std::int64_t i = 0; i < p.count; ++i) {
        if (i == 0 || p.keys[i] >> 32 != p.keys[i - 1] >> 32) p.begins[p.classes++] = i;
        p.ranks[i] = index_of(p.keys[i]);
        p.candidates[i] = candidate_of(a, image, p.order[p.ranks[i]]);
    }
    p.begins[p.classes] = p.count;
}

/// One class, by one thread. More than the capacity are not needed of it.
inline void suppress_class(const NmsArgs& a, const PartedImage& p, std::int64_t number, IsSuppressed is_suppressed) {
    const KeptBoxes boxes = p.boxes.from(p.begins[number]);
    std::int64_t count = 0;
    for (std::int64_t i = p.begins[number]; i < p.begins[number + 1]; ++i) {
        const BoxCandidate& own = p.candidates[i];
        const bool kept = count < a.capacity && !is_suppressed(boxes, 0, count, own, a.iou_threshold);
        p.kept[p.ranks[i]] = kept ? 1 : 0;
        if (kept) boxes.put(count++, own);
    }
}

/// A large class, by all threads: they compare a block of candidates with what is kept; one thread compares those that
/// are left with each other.
inline void suppress_together(const NmsArgs& a, const PartedImage& p, std::int64_t number, Team team,
                              IsSuppressed is_suppressed) {
    constexpr std::int64_t kBlock = 512, kGrain = 32;
    const std::int64_t begin = p.begins[number], end = p.begins[number + 1];
    const KeptBoxes boxes = p.boxes.from(begin);
    std::int64_t count = 0;
    for (std::int64_t first = begin; first < end; first += kBlock) {
        const std::int64_t last = std::min(end, first + kBlock), before = count;
        in_shares(team, last - first, kGrain, [&](Share share) {
            for (std::int64_t i = first + share.begin; i < first + share.end; ++i)
                p.kept[p.ranks[i]] =
                    before < a.capacity && !is_suppressed(boxes, 0, before, p.candidates[i], a.iou_threshold) ? 1 : 0;
        });
        for (std::int64_t i = first; i < last; ++i) {
            std::uint8_t& kept = p.kept[p.ranks[i]];
            const BoxCandidate& own = p.candidates[i];
            if (kept == 0) continue;
            if (count < a.capacity && !is_suppressed(boxes, before, count, own, a.iou_threshold))
                boxes.put(count++, own);
            else
                kept = 0;
        }
    }
}

inline void write_image(const NmsArgs& a, std::int64_t image, const PartedImage& p) {
    std::int64_t count = 0;
    for (std::int64_t rank = 0; rank < p.count && count < a.capacity; ++rank)
        if (p.kept[rank] != 0) write_kept(a, image, count++, p.order[rank], candidate_of(a, image, p.order[rank]).box);
    a.counts[image] = static_cast<std::int32_t>(count);
    for (; count < a.capacity; ++count) write_none(a, image * a.capacity + count);
}

/// Classes from here on are worth all threads.
inline constexpr std::int64_t kLargeClass = 2048;

inline void suppress_image(const NmsArgs& a, std::int64_t image, PartedImage& p, Team team,
                           IsSuppressed is_suppressed) {
    part(a, image, p);
    const auto is_large = [&](std::int64_t c) {
        return team.threads > 1 && p.begins[c + 1] - p.begins[c] >= kLargeClass;
    };
    for (std::int64_t c = 0; c < p.classes; ++c)
        if (is_large(c)) suppress_together(a, p, c, team, is_suppressed);
    const int threads = p.count < kLargeClass ? 1 : team.threads;
    share_out(threads, static_cast<std::uint32_t>(p.classes), [&](std::int64_t c) {
        if (!is_large(c)) suppress_class(a, p, c, is_suppressed);
    });
    write_image(a, image, p);
}

inline std::size_t parted_bytes(const NmsArgs& a) {
    ScratchParts memory(nullptr);
    const PartedImage image(a.n, memory);
    return memory.bytes();
}
inline std::size_t parted_workspace(const NmsArgs& a) { return parted_bytes(a) * static_cast<std::size_t>(a.images); }

/// All images: one for each thread where there are enough of them, else all threads for each.
inline void suppress_parted(const NmsArgs& a, Team team, IsSuppressed is_suppressed) {
    const std::size_t bytes = parted_bytes(a);
    const auto suppress = [&](Share images, Team with) {
        for (std::int64_t image = images.begin; image < images.end; ++image) {
            ScratchParts memory(static_cast<std::byte*>(a.workspace) + bytes * static_cast<std::size_t>(image));
            PartedImage parted(a.n, memory);
            suppress_image(a, image, parted, with, is_suppressed);
        }
    };
    if (a.images < team.threads) return suppress({0, a.images}, team);
    in_shares(team, a.images, 1, [&](Share images) { suppress(images, Team{1}); });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

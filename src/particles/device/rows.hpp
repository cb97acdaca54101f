// The usual search: the cells around a group of atoms lie in at most 27 rows, each seen through one image, and one
// cutoff holds for all. Rows are looked at side by side, a candidate for each lane; those near the box around the group
// are gathered, and then tested against one atom after the other, several for each lane, so that an atom is read once
// for all of them and the tests of a lane do not wait for each other.
#pragma once

#include "src/particles/device/keys.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// Candidates of each lane that are tested at once: of double, registers leave room for fewer where each is seen
/// through an image.
template <class T, bool kPlain = true>
inline constexpr int kTested = sizeof(T) == sizeof(float) ? 4
                               : kPlain                   ? 2
                                                          : 1;
template <class T>
inline constexpr int kRowsAhead = sizeof(T) == sizeof(float) ? 3 : 2;  // rows that a lane loads a candidate of at once
inline constexpr int kMostRows = 27;                                   // of three parts, in nine places each

/// Candidates that lie side by side among the sorted atoms.
struct CandidateRow {
    std::int32_t start, length;
};

inline constexpr int kSpareRows = 8;  // that a lane looks at behind the last, at most, beyond the lanes of a warp

/// What a warp keeps in shared memory while it counts the neighbours of a group.
template <class T>
struct RowRoom {
    SortedAtom<T> atoms[kTogether];                           ///< with keys instead of tags
    SortedAtom<T> near[(kTested<T> + kRowsAhead<T>)*kWarp];   ///< candidates near the box around them
    View<T> views[kMostRows];                                 ///< of the rows, where one is seen through an image
    CandidateRow rows[kWarp + kSpareRows];                    ///< behind the last that is not empty: empty ones
    std::uint8_t row_of[(kTested<T> + kRowsAhead<T>)*kWarp];  ///< near[k] comes from it
};

/// A group of atoms and what their candidates are held against.
template <class T>
struct RowGroup {
    int size;
    Vec3<T> low, high;  ///< the box around them
    T limit;            ///< squared cutoff
    int code_bits;
    std::uint32_t home;
    std::int32_t last;  ///< of the sorted atoms
};

/// Puts the rows of cells around a bucket's into the room; returns how many are not empty. plain: none of them is seen
/// through an image. Calls meanwhile() when it has asked where they are.
template <class T, class Meanwhile>
__device__ int look_up_rows(const DeviceWork<T>& work, const DeviceSystem& system, const UsualCells& usual,
                            std::uint32_t bucket, RowRoom<T>& room, int lane, bool& plain, Meanwhile meanwhile) {
    std::int32_t cell[3];
    std::uint32_t rest = bucket - usual.first_bucket, row_number = usual.divided(rest, 0);
    cell[0] = static_cast<std::int32_t>(rest);
    cell[2] = static_cast<std::int32_t>(usual.divided(row_number, 1));
    cell[1] = static_cast<std::int32_t>(row_number);
    const int place = lane % 9, part = lane / 9;
    const auto is = [](std::uint8_t bits, int k) { return (bits >> k & 1) != 0; };
    bool there = lane < kMostRows;
    // So many cells on from the group's: where that is in the box, and the box. & and | and not && and ||: no branch.
    const auto step = [&](int k, std::int32_t by, std::int32_t& box) {
        const std::int32_t at = cell[k] + by;
        box = static_cast<std::int32_t>(at >= usual.cells[k]) - static_cast<std::int32_t>(at < 0);
        there = there & ((by == 0) | is(usual.touching, k)) & ((box == 0) | is(usual.periodic, k));
        return at - box * usual.cells[k];
    };
    Image3 image;
    const std::int32_t b = step(1, place % 3 - 1, image.b), c = step(2, place / 3 - 1, image.c);
    // Along the row: what of it lies in the box, or beyond the one end or the other.
    const std::int32_t reach = is(usual.touching, 0) ? 1 : 0, cells = usual.cells[0];
    const std::int32_t low = cell[0] - reach, high = cell[0] + reach;
    image.a = part == 0 ? 0 : part == 1 ? -1 : 1;
    there = there & ((part == 0) | (is(usual.periodic, 0) & (part == 1 ? low < 0 : high >= cells)));
    const std::int32_t first = part == 0 ? max(low, 0) : part == 1 ? low + cells : 0;
    const std::int32_t last = part == 0 ? min(high, cells - 1) : part == 1 ? cells - 1 : high - cells;
    CandidateRow row{0, 0};
    std::int32_t end = 0;
    if (there) {
        const std::int32_t* const start =
            work.starts + (usual.first_bucket +
                           (static_cast<std::uint32_t>(c) * static_cast<std::uint32_t>(usual.cells[1]) +
                            static_cast<std::uint32_t>(b)) *
                               static_cast<std::uint32_t>(cells) +
                           static_cast<std::uint32_t>(first));
        row.start = start[0];
        end = start[last - first + 1];
    }
    meanwhile();
    row.length = end - row.start;
    const bool some = row.length > 0, elsewhere = some & (image != Image3{0, 0, 0});
    const unsigned lanes = __ballot_sync(~0U, some);
    plain = __ballot_sync(~0U, elsewhere) == 0;
    const int rows = __popc(lanes), before = __popc(lanes & lanes_before(lane));
    room.rows[some ? before : rows + lane - before] = row;
    if (lane < kSpareRows) room.rows[kWarp + lane] = {0, 0};
    if (!plain && some) {
        View<T> view{{0, 0, 0}, usual.home};
        if (elsewhere) {
            const Image3 s = in_box_vectors(system.grid.basis, image);
            view = {translation<T>(s, system.grid.basis.box), image_code(system.grid, s)};
        }
        room.views[before] = view;
    }
    __syncwarp();
    return rows;
}

/// Tests the first `held` ≤ kEach · 32 that are near the box against all atoms of the group. Lane k adds up in `found`
/// the neighbours of atom k, of which the first kKept keys go to row k of `kept`.
template <int kEach, bool kPlain, bool kHalf, class T>
__device__ void test_near(const RowRoom<T>& room, const RowGroup<T>& group, int held, std::uint32_t* kept, int& found,
                          int lane) {
    SortedAtom<T> other[kEach];
    Vec3<T> t[kEach];
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
        const int at = min(r * kWarp + lane, held - 1);
        other[r] = room.near[at];
        other[r].tagged <<= group.code_bits;
        if constexpr (kPlain) {
            other[r].tagged |= group.home;
        } else {
            const View<T> view = room.views[room.row_of[at]];
            t[r] = view.t;
            other[r].tagged |= view.code;
        }
        if (r * kWarp + lane >= held) other[r].x = std::numeric_limits<T>::quiet_NaN();  // near nobody
    }
#pragma unroll 1
    for (int k = 0; k < group.size; ++k, kept += kKept) {
        const SortedAtom<T> self = room.atoms[k];
        bool near[kEach];
        unsigned lanes[kEach];
        int number[kEach], all = 0;
#pragma unroll
        for (int r = 0; r < kEach; ++r) {
            const T squared = squared_length(seen<kPlain>({self.x, self.y, self.z}, other[r], t[r]));
            const bool counts = kHalf ? other[r].tagged > self.tagged : other[r].tagged != self.tagged;
            near[r] = (squared < group.limit) & counts;  // & and not &&: no branch
            lanes[r] = __ballot_sync(~0U, near[r]);
        }
#pragma unroll
        for (int r = 0; r < kEach; ++r) all += number[r] = __popc(lanes[r]);
        int to = __shfl_sync(~0U, found, k);
        if (lane == k) found += all;
        if (to + all <= kKept) {
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
                if (near[r]) kept[to + __popc(lanes[r] & lanes_before(lane))] = other[r].tagged;
                to += number[r];
            }
        } else {
#pragma unroll
            for (int r = 0; r < kEach; ++r) {
                const int own = to + __popc(lanes[r] & lanes_before(lane));
                if (near[r] & (own < kKept)) kept[own] = other[r].tagged;
                to += number[r];
            }
        }
    }
}

/// The same of any number of them that are tested at once.
template <bool kPlain, bool kHalf, class T>
__device__ void test_gathered(const RowRoom<T>& room, const RowGroup<T>& group, int held, std::uint32_t* kept,
                              int& found, int lane) {
    const auto test = [&]<int kEach>() { test_near<kEach, kPlain, kHalf>(room, group, held, kept, found, lane); };
    constexpr int kMost = kTested<T, kPlain>;
    if constexpr (kMost > 2) {
        if (held > 3 * kWarp) return test.template operator()<4>();
        if (held > 2 * kWarp) return test.template operator()<3>();
    }
    if constexpr (kMost > 1) {
        if (held > kWarp) return test.template operator()<2>();
    }
    if (held > 0) test.template operator()<1>();
}

/// Counts the neighbours of a group's atoms among the candidates of the rows, in lane k those of atom k. `next` is
/// told to claim and to fetch on the way.
template <bool kPlain, bool kHalf, class T, class Next>
__device__ int count_among_rows(const DeviceWork<T>& work, RowRoom<T>& room, const RowGroup<T>& group, int rows,
                                std::uint32_t* kept, int lane, Next& next_range) {
    next_range.claim();
    constexpr int kAhead = kRowsAhead<T>, kMost = kTested<T, kPlain> * kWarp;
    const std::int32_t length = lane < rows ? room.rows[lane].length : 0;
    // Lanes for a row: a whole warp, or where all rows are short a half or a quarter of it.
    const int log = __any_sync(~0U, length > kWarp / 2) ? 5 : __any_sync(~0U, length > kWarp / 4) ? 4 : 3;
    const int width = taken_as_is(1 << log), each = taken_as_is(kWarp >> log);
    int found = 0, held = 0;
    const CandidateRow* next = room.rows + (lane >> log);
    for (int begun = 0; begun < rows; begun += kAhead * each) {
        CandidateRow row[kAhead];
        std::int32_t longest = 0;
#pragma unroll
        for (int u = 0; u < kAhead; ++u, next += each) {
            row[u] = *next;
            longest = max(longest, row[u].length);
        }
        for (int at = lane & (width - 1);; at += width) {
            SortedAtom<T> atom[kAhead];
#pragma unroll
            for (int u = 0; u < kAhead; ++u) atom[u] = work.sorted[min(row[u].start + at, group.last)];
#pragma unroll
            for (int u = 0; u < kAhead; ++u) {
                const int number = begun + u * each + (lane >> log);
                Vec3<T> t{};
                if constexpr (!kPlain) t = room.views[min(number, rows - 1)].t;
                const bool near = is_near_box<kPlain>(group.low, group.high, atom[u], t, group.limit) &
                                  (at < row[u].length);  // & and not &&: no branch
                const unsigned lanes = __ballot_sync(~0U, near);
                const int to = held + __popc(lanes & lanes_before(lane));
                if (near) {
                    room.near[to] = atom[u];
                    if constexpr (!kPlain) room.row_of[to] = static_cast<std::uint8_t>(number);
                }
                held += __popc(lanes);
            }
            while (held >= kMost) {  // those behind move up
                __syncwarp();
                test_gathered<kPlain, kHalf>(room, group, kMost, kept, found, lane);
                __syncwarp();
                held -= kMost;
#pragma unroll 1
                for (int k = lane; k - lane < held; k += kWarp) {
                    if (k < held) {
                        room.near[k] = room.near[kMost + k];
                        if constexpr (!kPlain) room.row_of[k] = room.row_of[kMost + k];
                    }
                    __syncwarp();
                }
            }
            if (!__any_sync(~0U, at + width < longest)) break;
        }
    }
    __syncwarp();
    next_range.fetch();
    test_gathered<kPlain, kHalf>(room, group, held, kept, found, lane);
    return found;
}

/// Counts the neighbours of a range of atoms, of a system that is searched as usual: in lane k those of `atom`, which
/// is number k of the range, and whose keys go to its row of those that are kept. `last`: of the sorted atoms.
template <class T, class Next>
__device__ int count_range(const DeviceWork<T>& work, const DeviceRules<T>& rules, const DeviceSystem& system,
                           const AtomRange& range, std::int32_t last, RowRoom<T>& room, int lane, std::int32_t& atom,
                           Next& next) {
    RowGroup<T> group{};
    group.size = range.end - range.first;
    group.limit = rules.limit;
    group.last = last;
    SortedAtom<T> own;
    const UsualCells usual = system.usual;
    group.code_bits = usual.code_bits;
    group.home = usual.home;
    bool plain;
    __syncwarp();  // the last group's are read
    const int rows = look_up_rows(work, system, usual, range.bucket, room, lane, plain,
                                  [&] { own = work.sorted[range.first + min(lane % kTogether, group.size - 1)]; });
    atom = own.atom();
    own.tagged = own.tagged << group.code_bits | group.home;
    if (lane < group.size) room.atoms[lane] = own;
    group.low = {least_of_lanes(own.x), least_of_lanes(own.y), least_of_lanes(own.z)};
    group.high = {-least_of_lanes(-own.x), -least_of_lanes(-own.y), -least_of_lanes(-own.z)};
    std::uint32_t* const kept = taken_as_is(work.kept + std::int64_t{range.first} * kKept);
    const auto count = [&]<bool kPlain, bool kHalf>() {
        return count_among_rows<kPlain, kHalf>(work, room, group, rows, kept, lane, next);
    };
    if (plain) return rules.half ? count.template operator()<true, true>() : count.template operator()<true, false>();
    return rules.half ? count.template operator()<false, true>() : count.template operator()<false, false>();
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE

// The operations of the warp in a block that runs in regions. Where one stands, a region ends: its threads put their
// values down, all of them meet, and in the next region each gets what the lanes of its warp give.
#pragma once

#include <array>
#include <lanework_simt/lane_rules.hpp>
#include <lanework_simt/regions.hpp>

namespace lanework_simt {

/// The threads of a block that meet, each with a mask.
struct WarpsMeeting {
    WarpOperation operation;
    Place place;
    unsigned threads;
    /// That of all threads; or null `masks` for each.
    unsigned mask;
    const unsigned* masks;
    /// Of each thread: it left the kernel; it is one of those that come here. Null where none left, or all come.
    const bool *left, *comes;
    /// The others leave the kernel.
    bool others_leave;
    /// The warps that any thread of comes.
    unsigned first_warp, end_warp;
};
/// Finds the lanes of each of these warps that meet. Where a mask lacks its lane, or names one that does not come with
/// the same mask, the block runs on fibers instead, which say what is wrong.
void meet_in_warps(const WarpsMeeting& meeting, unsigned* lanes_of_warps);
/// The same, of any other mistake in an argument.
[[noreturn]] void refuse_in_region(WarpOperation operation, Place place);

#ifndef LANEWORK_SIMT_WATCHED
namespace warp_regions {

/// An object of a type, for what is not evaluated: a value that threads have, named where none of them runs.
template <class T>
T& lvalue();
/// What a variable has as its type that is made of a value: without const, references and __restrict__.
template <class T>
T of_value(T);

inline constexpr unsigned kMostWarps = 32;

/// The operation of the warp that a join is said to be.
template <bool Reduces>
inline constexpr WarpOperation kJoined = Reduces ? WarpOperation::shuffle_down : WarpOperation::shuffle_up;

/// A value of each lane, in whole warps.
template <class T>
class Each {
public:
    Each(const LoopThread& block, const T&) : values_(static_cast<T*>(keep_memory(whole_warps(block) * sizeof(T)))) {}
    ~Each() { give_back_memory(values_); }
    Each(const Each&) = delete;
    Each& operator=(const Each&) = delete;

    [[gnu::always_inline]] void put(unsigned thread, const T& value) const {
        std::memcpy(static_cast<void*>(values_ + thread), &value, sizeof value);
    }
    [[gnu::always_inline]] const T& operator[](unsigned thread) const { return values_[thread]; }
    T* begin() const { return values_; }

private:
    static unsigned whole_warps(const LoopThread& block) {
        const unsigned threads = block.block_dim.x * block.block_dim.y * block.block_dim.z;
        return (threads + kWarpLanes - 1) / kWarpLanes * kWarpLanes;
    }

    T* const values_;
};

/// A value that all threads have.
template <class T>
class Common {
public:
    Common(const LoopThread&, const T& value) : value_(value) {}
    [[gnu::always_inline]] void put(unsigned, const T&) const {}
    [[gnu::always_inline]] const T& operator[](unsigned) const { return value_; }
    const T* begin() const { return nullptr; }

private:
    const T value_;
};

template <class T, bool OfEach>
using Argument = std::conditional_t<OfEach, Each<T>, Common<T>>;

/// The threads of a block that execute some statement: those of a region take part, and settle() makes them all.
class Some {
public:
    explicit Some(const LoopThread& block) : in_(block, false) {}

    [[gnu::always_inline]] void take(unsigned thread) {
        in_.keep(thread, true);
        next_.first = next_.count == 0 ? thread : next_.first;
        next_.end = thread + 1;
        ++next_.count;
    }
    [[gnu::always_inline]] void leave(unsigned thread) const { in_.keep(thread, false); }
    /// Whether any took part.
    bool settle() {
        now_ = next_;
        next_ = {};
        return now_.count != 0;
    }
    [[gnu::always_inline]] bool has(unsigned thread) const { return in_[thread]; }
    const bool* begin() const { return &in_[0]; }
    /// The first of them, and behind the last.
    [[gnu::always_inline]] unsigned first() const { return now_.first; }
    [[gnu::always_inline]] unsigned end() const { return now_.end; }
    /// They are whole warps, one behind the other.
    bool whole() const {
        return now_.count == now_.end - now_.first && now_.first % kWarpLanes == 0 && now_.end % kWarpLanes == 0;
    }

private:
    struct Span {
        unsigned first = 0, end = 0, count = 0;
    };
    const Kept<bool> in_;
    Span now_, next_;
};

/// Who meets whom.
template <WarpOperation Operation, bool EachMask>
class Meeting {
public:
    Meeting(const LoopThread& block, Place place, unsigned mask)
        : threads_(block.block_dim.x * block.block_dim.y * block.block_dim.z), place_(place), masks_(block, mask) {}

    /// All threads have put down what they bring: those of the block, or some of them.
    void meet(const bool* left, const Some* some, bool others_leave) {
        first_warp_ = some ? some->first() / kWarpLanes : 0;
        end_warp_ = ((some ? some->end() : threads_) + kWarpLanes - 1) / kWarpLanes;
        const bool all = some ? some->whole() : threads_ % kWarpLanes == 0;
        whole_ = !EachMask && !left && all && masks_[0] == kFullMask;
        if (whole_) return;
        // Of its own: what others have the address of is read again behind every store.
        std::array<unsigned, kMostWarps> lanes;
        meet_in_warps({Operation, place_, threads_, masks_[0], masks_.begin(), left, some ? some->begin() : nullptr,
                       others_leave, first_warp_, end_warp_},
                      lanes.data());
        for (unsigned warp = first_warp_; warp < end_warp_; ++warp) lanes_[warp] = lanes[warp];
    }

protected:
    /// Of the warp, those that came; and of these those that a thread meets.
    [[gnu::always_inline]] unsigned came(unsigned warp) const { return whole_ ? kFullMask : lanes_[warp]; }
    [[gnu::always_inline]] unsigned met(unsigned thread) const { return came(thread / kWarpLanes) & masks_[thread]; }

    const unsigned threads_;
    const Place place_;
    const Argument<unsigned, EachMask> masks_;
    bool whole_ = false;
    unsigned first_warp_ = 0, end_warp_ = 0;
    std::array<unsigned, kMostWarps> lanes_;
};

/// __syncwarp.
template <bool EachMask>
class Sync : public Meeting<WarpOperation::syncwarp, EachMask> {
public:
    using Meeting<WarpOperation::syncwarp, EachMask>::Meeting;
    [[gnu::always_inline]] void put(unsigned thread, unsigned mask) const { this->masks_.put(thread, mask); }
};

/// __activemask: the lanes that come here.
class Active : public Meeting<WarpOperation::activemask, false> {
public:
    Active(const LoopThread& block, Place place) : Meeting(block, place, kFullMask) {}
    [[gnu::always_inline]] unsigned get(unsigned thread) const { return came(thread / kWarpLanes); }
};

/// __shfl_sync, __shfl_up_sync, __shfl_down_sync, __shfl_xor_sync.
template <WarpOperation Operation, class T, bool EachMask, bool EachArgument, bool EachWidth>
class Shuffle : public Meeting<Operation, EachMask> {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "warps exchange values of at most 8 bytes");
    static constexpr bool kCounts = Operation == WarpOperation::shuffle_up || Operation == WarpOperation::shuffle_down;

public:
    /// As the functions have it.
    using Distance = std::conditional_t<kCounts, unsigned, int>;

    Shuffle(const LoopThread& block, Place place, unsigned mask, Distance argument, int width)
        : Meeting<Operation, EachMask>(block, place, mask),
          values_(block, T()),
          results_(block, T()),
          arguments_(block, argument),
          widths_(block, width) {
        require(width);
    }
    [[gnu::always_inline]] void put(unsigned thread, const T& value, unsigned mask, Distance argument,
                                    int width) const {
        if (EachWidth) require(width);
        values_.put(thread, value);
        this->masks_.put(thread, mask);
        arguments_.put(thread, argument);
        widths_.put(thread, width);
    }
    void meet(const bool* left, const Some* some, bool others_leave) {
        Meeting<Operation, EachMask>::meet(left, some, others_leave);
        if (!this->whole_) forget_absent();
        for (unsigned warp = this->first_warp_; warp < this->end_warp_; ++warp) exchange(warp * kWarpLanes);
    }
    [[gnu::always_inline]] T get(unsigned thread) const { return results_[thread]; }

private:
    void require(int width) const {
        if (!lane_rules::is_width(width)) refuse_in_region(Operation, this->place_);
    }
    /// What is read of lanes that did not come is undefined.
    void forget_absent() const {
        for (unsigned warp = this->first_warp_; warp < this->end_warp_; ++warp)
            lane_rules::for_each(~this->came(warp), [&](unsigned lane) {
                values_.put(warp * kWarpLanes + lane, lane_exchange::from_bits<T>(lane_rules::kUndefined));
            });
    }
    [[gnu::always_inline]] unsigned source(unsigned lane, unsigned thread) const {
        return lane_rules::source_lane(Operation, lane, static_cast<unsigned>(arguments_[thread]),
                                       static_cast<unsigned>(widths_[thread])) %
               kWarpLanes;
    }
    void exchange(unsigned first) const {
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            const unsigned from = source(lane, first + lane);
            // A mask of all threads names all that came.
            const bool named = !EachMask || (this->masks_[first + lane] >> from & 1) != 0;
            results_.put(first + lane,
                         named ? values_[first + from] : lane_exchange::from_bits<T>(lane_rules::kUndefined));
        }
    }

    const Each<T> values_, results_;
    const Argument<Distance, EachArgument> arguments_;
    const Argument<int, EachWidth> widths_;
};

/// __any_sync, __all_sync, __ballot_sync.
template <WarpOperation Operation, bool EachMask>
class Vote : public Meeting<Operation, EachMask> {
    using Result = std::conditional_t<Operation == WarpOperation::ballot, unsigned, int>;

public:
    Vote(const LoopThread& block, Place place, unsigned mask)
        : Meeting<Operation, EachMask>(block, place, mask), votes_(block, 0) {}
    [[gnu::always_inline]] void put(unsigned thread, int predicate, unsigned mask) const {
        votes_.put(thread, predicate != 0);
        this->masks_.put(thread, mask);
    }
    void meet(const bool* left, const Some* some, bool others_leave) {
        Meeting<Operation, EachMask>::meet(left, some, others_leave);
        for (unsigned warp = this->first_warp_; warp < this->end_warp_; ++warp)
            bits_[warp] = bits(votes_.begin() + warp * kWarpLanes);
    }
    [[gnu::always_inline]] Result get(unsigned thread) const {
        const unsigned lanes = this->met(thread);
        return static_cast<Result>(lane_rules::vote(Operation, bits_[thread / kWarpLanes] & lanes, lanes));
    }

private:
    static unsigned bits(const unsigned char* votes) {
        unsigned all = 0;
        for (unsigned first = 0; first < kWarpLanes; first += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, votes + first, sizeof eight);
            // Each byte's lowest bit moves to the highest byte.
            eight = (eight & 0x0101010101010101u) * 0x0102040810204080u >> 56;
            all |= static_cast<unsigned>(eight) << first;
        }
        return all;
    }

    const Each<unsigned char> votes_;
    std::array<unsigned, kMostWarps> bits_;
};

/// __match_any_sync, __match_all_sync.
template <WarpOperation Operation, class T, bool EachMask>
class Match : public Meeting<Operation, EachMask> {
public:
    Match(const LoopThread& block, Place place, unsigned mask)
        : Meeting<Operation, EachMask>(block, place, mask), values_(block, 0) {}
    [[gnu::always_inline]] void put(unsigned thread, const T& value, unsigned mask) const {
        values_.put(thread, lane_exchange::to_bits(value));
        this->masks_.put(thread, mask);
    }
    unsigned get(unsigned thread) const {
        return lane_rules::same(this->met(thread), values_.begin() + thread / kWarpLanes * kWarpLanes, values_[thread]);
    }
    unsigned get(unsigned thread, int* equal) const {
        *equal = get(thread) == this->met(thread);
        return *equal ? this->masks_[thread] : 0u;
    }

private:
    const Each<std::uint64_t> values_;
};

/// What a cooperative group's lanes make of their values with an operation (group_reductions.hpp): one value of all,
/// or of all up to each lane, with its own or without.
enum class JoinOrder { reduce, inclusive_scan, exclusive_scan };

/// reduce, inclusive_scan and exclusive_scan of tiles of `size` lanes, joined in the order in which fibers do.
template <JoinOrder Order, class T, class Operation, bool EachMask>
class Join : public Meeting<kJoined<Order == JoinOrder::reduce>, EachMask> {
public:
    Join(const LoopThread& block, Place place, unsigned mask, unsigned size)
        : Meeting<kJoined<Order == JoinOrder::reduce>, EachMask>(block, place, mask),
          values_(block, T()),
          size_(size) {}
    [[gnu::always_inline]] void put(unsigned thread, const T& value, unsigned mask) const {
        values_.put(thread, value);
        this->masks_.put(thread, mask);
    }
    void meet(const bool* left, const Some* some, bool others_leave) {
        Meeting<kJoined<Order == JoinOrder::reduce>, EachMask>::meet(left, some, others_leave);
        for (unsigned warp = this->first_warp_; warp < this->end_warp_; ++warp)
            for (unsigned first = 0; first < kWarpLanes; first += size_)
                if (this->came(warp) >> first & 1u) join(values_.begin() + warp * kWarpLanes + first);
    }
    [[gnu::always_inline]] T get(unsigned thread) const { return values_[thread]; }

private:
    void join(T* values) const {
        const Operation operation{};
        if constexpr (Order == JoinOrder::reduce) {
            for (unsigned distance = 1; distance < size_; distance *= 2)
                for (unsigned rank = 0; rank + distance < size_; rank += 2 * distance)
                    values[rank] = operation(values[rank], values[rank + distance]);
            for (unsigned rank = 1; rank < size_; ++rank) values[rank] = values[0];
        } else {
            for (unsigned distance = 1; distance < size_; distance *= 2)
                for (unsigned rank = size_; rank-- > distance;)
                    values[rank] = operation(values[rank - distance], values[rank]);
            if (Order == JoinOrder::exclusive_scan) {
                for (unsigned rank = size_; rank-- > 1;) values[rank] = values[rank - 1];
                values[0] = T();
            }
        }
    }

    const Each<T> values_;
    const unsigned size_;
};

/// __reduce_add_sync and the others; T is what the function gives.
template <WarpOperation Operation, class T, bool EachMask>
class Reduction : public Meeting<Operation, EachMask> {
public:
    Reduction(const LoopThread& block, Place place, unsigned mask)
        : Meeting<Operation, EachMask>(block, place, mask), values_(block, 0) {}
    [[gnu::always_inline]] void put(unsigned thread, T value, unsigned mask) const {
        values_.put(thread, static_cast<std::uint32_t>(value));
        this->masks_.put(thread, mask);
    }
    void meet(const bool* left, const Some* some, bool others_leave) {
        Meeting<Operation, EachMask>::meet(left, some, others_leave);
        for (unsigned warp = this->first_warp_; warp < this->end_warp_ && !EachMask; ++warp)
            if (const unsigned lanes = this->came(warp)) results_[warp] = of(lanes, warp);
    }
    T get(unsigned thread) const {
        const unsigned warp = thread / kWarpLanes;
        return static_cast<T>(EachMask ? of(this->met(thread), warp) : results_[warp]);
    }

private:
    std::uint32_t of(unsigned lanes, unsigned warp) const {
        return lane_rules::reduce(Operation, lanes, values_.begin() + warp * kWarpLanes, std::is_signed_v<T>);
    }

    const Each<std::uint32_t> values_;
    std::array<std::uint32_t, kMostWarps> results_;
};

}  // namespace warp_regions
#endif

}  // namespace lanework_simt

/// A region of some threads, in place of LANEWORK_THREADS_BEGIN.
#define LANEWORK_SOME_THREADS_BEGIN(some)                                                                        \
    for (unsigned lanework_thread = (some).first(), lanework_end = (some).end(); lanework_thread < lanework_end; \
         ++lanework_thread) {                                                                                    \
        if (!(some).has(lanework_thread)) continue;                                                              \
        const unsigned lanework_row = lanework_thread / lanework_block.block_dim.x,                              \
                       lanework_x = lanework_thread % lanework_block.block_dim.x,                                \
                       lanework_y = lanework_row % lanework_block.block_dim.y,                                   \
                       lanework_z = lanework_row / lanework_block.block_dim.y;

// The check of one access against the marks of its words. Most accesses are of words that nobody else touched since the
// last barrier, or only read: loops over whole runs find that out with a comparison or two per word.
#include "src/trace/analyse/races.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanework {
namespace {

/// Suspects of two sites that are kept to be judged.
constexpr std::size_t kMostSuspects = 4096;

bool writes(EventKind kind) { return kind != EventKind::load; }
bool same_warp(Mark a, Mark b) { return ((a.bits ^ b.bits) & Mark::kWarpBits) == 0; }

}  // namespace

/// Blocks that run at once are told from barrier to barrier, so that one epoch at a time is ranked.
void Races::note_order(const Site& site) {
    if (ranked_since_ != clock_->barrier) {
        ranked_since_ = clock_->barrier;
        next_rank_ = 0;
        epoch_start_ = site.pc;
    }
    Passed& passed = passed_[site.id];
    if (passed.barrier != ranked_since_) passed = {ranked_since_, next_rank_++};
}

EpochInterval Races::interval_of(const Site& earlier, const Site& later) const {
    const Passed &one = passed_[earlier.id], &other = passed_[later.id];
    if (one.barrier != other.barrier) return {};
    const bool in_order = one.rank <= other.rank;
    return {.start = epoch_start_,
            .first = std::min(one.rank, other.rank),
            .second = std::max(one.rank, other.rank),
            .first_pc = (in_order ? earlier : later).pc,
            .second_pc = (in_order ? later : earlier).pc};
}

void Races::access(const Request& request, const Run& run, Marks& marks, std::size_t words, std::uint64_t base,
                   std::uint64_t object) {
    const Site& site = *request.site;
    if (site.id >= Mark::kMostSites || order_.exhausted()) return;
    if (site.id >= sites_.size()) {
        sites_.resize(site.id + 1);
        passed_.resize(site.id + 1);
    }
    sites_[site.id] = &site;
    clock_ = &order_.enter(request.block);
    note_order(site);
    writes_ = writes(site.kind);
    shared_ = site.space == Space::shared;
    const unsigned thread = request.warp * kLanes + run.first_lane;
    mine_ = Mark::of(order_.now(), site.id, thread, Mark::kAllBytes, site.is_atomic(), site.is_volatile);
    epoch_ = Mark::floor(clock_->barrier);
    floor_ = shared_ ? epoch_ : Mark::floor(order_.launch());
    base_ = base;
    object_ = object;

    const std::uint64_t offset = run.address - base;
    if (run.one_address && run.lanes > 1) {
        same_word_by_all(run, marks, words);
    } else if (run.bytes % kWordBytes == 0 && offset % kWordBytes == 0) {
        whole_words(run, marks, words, offset / kWordBytes);
    } else {
        for (unsigned lane = 0; lane < run.lanes; ++lane)
            one_lane(lane, offset + std::uint64_t{lane} * run.bytes, run.bytes, marks, words);
    }
}

void Races::whole_words(const Run& run, Marks& marks, std::size_t words, std::size_t word) {
    const auto lane_shift = static_cast<unsigned>(std::countr_zero(run.bytes / kWordBytes));
    const std::size_t count = std::size_t{run.lanes} << lane_shift;
    if (writes_) {
        store_words(marks, words, word, count, lane_shift);
    } else {
        load_words(marks, words, word, count, lane_shift);
    }
}

void Races::load_words(Marks& marks, std::size_t words, std::size_t word, std::size_t count, unsigned lane_shift) {
    LineMark& line = marks.lines.make(words / LineMark::kWords)[word / LineMark::kWords];
    const bool one_line = (word + count - 1) / LineMark::kWords == word / LineMark::kWords;
    const bool whole_line = one_line && count == LineMark::kWords;
    if (one_line && line.settled == clock_->barrier && line.written < floor_.stamp()) return;
    const auto by = [&](std::size_t i) { return mine_.by_next(static_cast<unsigned>(i) >> lane_shift); };
    if (const Mark* const writes = marks.writes.get()) {
        bool written = false;
        for (std::size_t i = 0; i < count; ++i) written |= writes[word + i].since(floor_);
        if (written)
            for (std::size_t i = 0; i < count; ++i) against(writes[word + i], by(i), true, word + i);
    }
    Mark* const reads = marks.reads.make(words) + word;
    bool untouched = true;
    for (std::size_t i = 0; i < count; ++i) untouched &= !reads[i].since(floor_);
    if (untouched) {
        for (std::size_t i = 0; i < count; ++i) reads[i] = by(i);
        return;
    }
    if (const Mark* others = marks.other_reads.get()) {
        others += word;
        // Read before, and in this epoch by threads of different warps: one more reader tells nothing new.
        int settled = 1;  // of ints: all conditions are computed, and nothing branches
        for (std::size_t i = 0; i < count; ++i)
            settled &=
                int{reads[i].since(floor_)} & int{others[i].since(epoch_)} & int{!of_one_warp(reads[i], others[i])};
        if (settled) {
            if (whole_line) line.settled = clock_->barrier;
            return;
        }
    }
    for (std::size_t i = 0; i < count; ++i) note_read(marks, words, word + i, by(i));
}

void Races::store_words(Marks& marks, std::size_t words, std::size_t word, std::size_t count, unsigned lane_shift) {
    const auto by = [&](std::size_t i) { return mine_.by_next(static_cast<unsigned>(i) >> lane_shift); };
    Mark* const writes = marks.writes.make(words) + word;
    const Mark* const reads = marks.reads.get();
    LineMark* const lines = marks.lines.make(words / LineMark::kWords);
    for (std::size_t line = word / LineMark::kWords; line <= (word + count - 1) / LineMark::kWords; ++line)
        lines[line].written = order_.now();
    bool touched = false;
    for (std::size_t i = 0; i < count; ++i) touched |= writes[i].since(floor_);
    if (reads)
        for (std::size_t i = 0; i < count; ++i) touched |= reads[word + i].since(floor_);
    if (touched) {
        for (std::size_t i = 0; i < count; ++i) store_word(marks, words, word + i, by(i));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) writes[i] = by(i);
    note_values(marks, words, word, count);
}

/// A word of global memory as it is now: what the block that ran last has left there.
std::uint32_t Races::value_of(std::size_t word) const {
    std::uint32_t value;
    std::memcpy(&value, reinterpret_cast<const void*>(base_ + word * kWordBytes), sizeof value);
    return value;
}

void Races::note_values(Marks& marks, std::size_t words, std::size_t word, std::size_t count) const {
    if (!compares_values_ || shared_) return;
    std::uint32_t* const values = marks.values.make(words);
    for (std::size_t i = word; i < word + count; ++i) values[i] = value_of(i);
}

/// An access that is not of whole words.
void Races::one_lane(unsigned lane, std::uint64_t offset, unsigned bytes, Marks& marks, std::size_t words) {
    for (const std::uint64_t end = std::min<std::uint64_t>(offset + bytes, words * kWordBytes); offset < end;) {
        const std::uint64_t word = offset / kWordBytes, low = offset % kWordBytes;
        const std::uint64_t taken = std::min<std::uint64_t>(kWordBytes - low, end - offset);
        const Mark mine = mine_.by_next(lane).with_bytes(((std::uint64_t{1} << taken) - 1) << low);
        writes_ ? store_word(marks, words, word, mine) : load_word(marks, words, word, mine);
        offset += taken;
    }
}

/// Several lanes access one address: the first and the last of them stand for all.
void Races::same_word_by_all(const Run& run, Marks& marks, std::size_t words) {
    const std::uint64_t offset = run.address - base_;
    one_lane(0, offset, run.bytes, marks, words);
    if (writes_ && mine_.atomic() && !mine_.is_volatile()) return;
    one_lane(run.lanes - 1, offset, run.bytes, marks, words);
}

void Races::load_word(Marks& marks, std::size_t words, std::size_t word, Mark mine) {
    if (const Mark* const writes = marks.writes.get()) against(writes[word], mine, true, word);
    note_read(marks, words, word, mine);
}

void Races::store_word(Marks& marks, std::size_t words, std::size_t word, Mark mine) {
    Mark& write = marks.writes.make(words)[word];
    marks.lines.make(words / LineMark::kWords)[word / LineMark::kWords].written = order_.now();
    if (compares_values_ && !shared_) {
        const std::uint32_t changed = marks.values.make(words)[word] ^ value_of(word);
        changes_value_ = false;
        for (unsigned byte = 0; byte < kWordBytes; ++byte)
            changes_value_ |= (write.bytes() & mine.bytes()) >> byte & 1 && (changed >> 8 * byte & 0xff) != 0;
    }
    against(write, mine, true, word);
    changes_value_ = false;
    note_values(marks, words, word, 1);
    if (const Mark* const reads = marks.reads.get()) against(reads[word], mine, false, word);
    if (const Mark* const others = marks.other_reads.get()) against(others[word], mine, false, word);
    write = mine;
}

/// Whether the two readers that are kept of a word, the other one of this epoch, tell of one warp alone.
bool Races::of_one_warp(Mark first, Mark other) const {
    return (int{first.since(epoch_)} & int{same_warp(first, other)}) != 0;
}

/// Keeps a first reader, and of the later ones the last or one of another warp.
void Races::note_read(Marks& marks, std::size_t words, std::size_t word, Mark mine) {
    Mark& first = marks.reads.make(words)[word];
    const bool again = first.since(epoch_) && first.thread() == mine.thread() && first.bytes() == mine.bytes();
    if (!first.since(floor_) || again) {
        first = mine;
        return;
    }
    Mark& other = marks.other_reads.make(words)[word];
    if (!other.since(epoch_) || of_one_warp(first, other)) other = mine;
}

/// Whether one of two atomic accesses is one for its own block alone, which is not the other's.
bool Races::narrow(Mark earlier, Mark mine) const {
    if (shared_ || !(site_of(earlier)->block_scope || site_of(mine)->block_scope)) return false;
    return earlier.stamp() != order_.now() && order_.block_of(earlier.stamp()) != clock_->block;
}

/// Whether an earlier access and this one, one of which writes, are a suspect.
void Races::against(Mark earlier, Mark mine, bool earlier_writes, std::size_t word) {
    if (!earlier.since(floor_) || !(earlier.bytes() & mine.bytes())) return;
    const bool both_volatile = earlier.is_volatile() && mine.is_volatile();
    if (earlier.atomic() && mine.atomic() && !both_volatile && !narrow(earlier, mine)) return;
    const bool of_this_block = shared_ || earlier.stamp() == order_.now();
    const std::uint64_t block = of_this_block ? clock_->block : order_.block_of(earlier.stamp());
    const ThreadId thread{block, earlier.thread()};
    const bool one_block = block == clock_->block, one_warp = one_block && thread.warp() == mine.thread() / kLanes;
    if (one_block && order_.knows(*clock_, mine.thread(), thread.thread, earlier.stamp())) return;
    if (one_block && clock_->partial_barriers && !one_warp) return;
    // A flag that one polls and another sets. In shared memory, and within a warp, volatile stands for a barrier that
    // is missing: the accesses do not tear, and their order is still nobody's.
    if (both_volatile && !shared_ && !one_warp) return;
    const Moment moment{thread, earlier.stamp(), 0, 0};
    const bool one_statement = earlier_writes && writes_ && earlier.site() == mine.site();
    suspect(moment, earlier, mine, word, one_statement);
}

void Races::suspect(const Moment& earlier, Mark mark, Mark mine, std::size_t word, bool one_statement) {
    const bool one_block = earlier.thread.block == clock_->block;
    const bool one_warp = one_block && earlier.thread.warp() == mine.thread() / kLanes;
    const std::uint64_t key = std::uint64_t{mark.site()} << 32 | mine.site() << 1 | std::uint64_t{one_warp};
    Suspects& all = suspects_[key];
    if (all.count++ == 0) {
        all.earlier = site_of(mark);
        all.later = site_of(mine);
        all.rule = one_warp && !one_statement ? Rule::warp_synchrony : Rule::race;
        all.narrow_atomics = mark.atomic() && mine.atomic() && !mark.is_volatile() && !mine.is_volatile();
        all.one_statement = one_statement && !all.narrow_atomics;
        all.object = object_;
    }
    if (one_block && all.epoch.start == 0) all.epoch = interval_of(*all.earlier, *all.later);
    const bool first_between_blocks = !one_block && !all.between_blocks;
    all.between_blocks |= !one_block;
    const std::uint64_t address = base_ + word * kWordBytes;
    all.lowest = std::min(all.lowest, address);
    all.end = std::max(all.end, address + kWordBytes);
    const bool differ = changes_value_ && one_statement && earlier.thread.block != clock_->block;
    const bool first_to_differ = differ && !all.values_differ;
    all.values_differ |= differ;
    const bool telling = first_to_differ || first_between_blocks;
    if (all.first.size() >= kMostSuspects && !telling) return;
    Moment moment = earlier;
    moment.barrier = moment.warp = earlier.stamp;  // not known: as if it had just passed both
    const Suspect found{moment, order_.moment(*clock_, mine.thread()), address};
    // Behind one that shows different values, which is one of different blocks, too.
    const bool differed_before = all.values_differ && !first_to_differ;
    all.first.insert(telling ? all.first.begin() + differed_before : all.first.end(), found);
}

bool Races::ordered(const Suspect& suspect, bool any_scope) {
    return order_.has_releases() && (order_.may_precede(suspect.earlier, suspect.later, any_scope) ||
                                     order_.may_precede(suspect.later, suspect.earlier, any_scope));
}

/// Preferably one of different blocks: what orders these orders the threads of one block as well.
const Races::Suspect* Races::unordered(const Suspects& suspects) {
    const Suspect* first = nullptr;
    for (const Suspect& suspect : suspects.first) {
        const bool of_blocks = suspect.earlier.thread.block != suspect.later.thread.block;
        if (first && !of_blocks) continue;
        if (ordered(suspect, false)) continue;
        if (of_blocks || !suspects.between_blocks) return &suspect;
        first = &suspect;
    }
    return first;
}

void Races::judge(const Suspects& suspects) {
    const Suspect* const found = unordered(suspects);
    if (!found) return;
    // The one that writes comes first: a race reads the same whichever of its accesses ran first.
    const bool both = writes(suspects.earlier->kind) && writes(suspects.later->kind);
    const bool turned = both ? suspects.later->id < suspects.earlier->id : !writes(suspects.later->kind);
    Hazard hazard{.rule = suspects.rule,
                  .severity = suspects.one_statement && !suspects.values_differ ? Severity::warning : Severity::error,
                  .site = AccessSite::of(*suspects.later),
                  .other = AccessSite::of(*suspects.earlier),
                  .thread = found->later.thread,
                  .other_thread = found->earlier.thread,
                  .address = found->address,
                  .narrow_scope = suspects.narrow_atomics || ordered(*found, true),
                  .epoch = suspects.epoch,
                  .object = suspects.object,
                  .lowest = suspects.lowest,
                  .end = suspects.end,
                  .count = suspects.count};
    if (turned) {
        std::swap(hazard.site, hazard.other);
        std::swap(hazard.thread, hazard.other_thread);
    }
    list_.add(hazard);
}

void Races::launch_ends() {
    for (const auto& [key, suspects] : suspects_) judge(suspects);
    suspects_.clear();
    sites_.clear();
    passed_.clear();
    ranked_since_ = 0;
}

}  // namespace lanework

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
bool same_thread(Mark a, Mark b) { return ((a.bits ^ b.bits) & Mark::kThreadBits << Mark::kThreadShift) == 0; }
bool same_warp(Mark a, Mark b) { return ((a.bits ^ b.bits) & Mark::kWarpBits) == 0; }

/// So many lanes from the mark's on, one bit each.
std::uint32_t lanes_from(Mark mark, unsigned lanes) {
    return ~std::uint32_t{0} >> (kLanes - lanes) << mark.thread() % kLanes;
}

Use use_of(const Site& site) { return site.is_atomic() || site.is_volatile ? Use::atomic : Use::plain; }

/// Calls `body(word, bytes)` for each word of `words` words that `count` bytes from `offset` on touch.
template <class Body>
void for_each_word(std::uint64_t offset, std::uint64_t count, std::size_t words, Body body) {
    for (const std::uint64_t end = std::min<std::uint64_t>(offset + count, words * kWordBytes); offset < end;) {
        const std::uint64_t word = offset / kWordBytes, low = offset % kWordBytes;
        const std::uint64_t taken = std::min<std::uint64_t>(kWordBytes - low, end - offset);
        body(word, ((std::uint64_t{1} << taken) - 1) << low);
        offset += taken;
    }
}

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

void Races::begin(const Request& request) {
    const Site& site = *request.site;
    judged_ = site.id < Mark::kMostSites && !order_.exhausted();
    if (!judged_) return;
    if (site.id >= sites_.size()) {
        sites_.resize(site.id + 1);
        passed_.resize(site.id + 1);
    }
    sites_[site.id] = site_ = &site;
    request_ = &request;
    clock_ = &order_.enter(request.block);
    note_order(site);
    writes_ = writes(site.kind);
    shared_ = site.space == Space::shared;
    first_lane_ = Mark::of(order_.now(), site.id, request.warp * kLanes, Mark::kAllBytes, use_of(site));
    epoch_ = Mark::floor(clock_->barrier);
    floor_ = shared_ ? epoch_ : Mark::floor(order_.launch());
    own_ = shared_ ? epoch_ : Mark::floor(order_.stretch());
}

void Races::access(const Run& run, Marks& marks, std::size_t words, std::uint64_t base, std::uint64_t object) {
    if (!judged_) return;
    run_ = &run;
    mine_ = first_lane_.by_next(run.first_lane);
    base_ = base;
    object_ = object;
    if (!guesses_.empty()) come_back(run, request_->warp);

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

/// Whether none of the words' marks can be in the way of what the run's lanes do, each to its own words: they are of
/// earlier launches, of this block before its last barrier, or of the lane's own thread. against() finds no conflict
/// with any such. Of `count` marks, most of which are of earlier launches or epochs altogether.
bool Races::all_harmless(const Mark* marks, std::size_t count, unsigned lane_shift) const {
    bool since = false;
    for (std::size_t i = 0; i < count; ++i) since |= marks[i].since(floor_);
    if (!since) return true;
    int harmless = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const Mark mine = mine_.by_next(static_cast<unsigned>(i) >> lane_shift);
        const int known = int{!marks[i].since(epoch_)} | int{same_thread(marks[i], mine)};
        harmless &= int{!marks[i].since(floor_)} | (int{marks[i].since(own_)} & known);
    }
    return harmless != 0;
}

/// What follow() does to the kept reads of harmless words that are written, by no compare-and-swap.
void Races::rely_on_own(Mark* reads, std::size_t count, unsigned lane_shift) const {
    for (std::size_t i = 0; i < count; ++i) {
        const Mark mine = mine_.by_next(static_cast<unsigned>(i) >> lane_shift);
        const bool relied = reads[i].since(floor_) && reads[i].use() == Use::plain && same_thread(reads[i], mine);
        if (relied) reads[i] = reads[i].with_use(Use::relied);
    }
}

void Races::load_words(Marks& marks, std::size_t words, std::size_t word, std::size_t count, unsigned lane_shift) {
    LineMark& line = marks.lines.make(words / LineMark::kWords)[word / LineMark::kWords];
    const bool one_line = (word + count - 1) / LineMark::kWords == word / LineMark::kWords;
    const bool whole_line = one_line && count == LineMark::kWords;
    if (one_line && line.settled == clock_->barrier && line.written < floor_.stamp()) return;
    const auto by = [&](std::size_t i) { return mine_.by_next(static_cast<unsigned>(i) >> lane_shift); };
    if (const Mark* const writes = marks.writes.get()) {
        if (!all_harmless(writes + word, count, lane_shift))
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
            settled &= int{reads[i].since(floor_)} & int{others[i].since(epoch_)} &
                       int{!of_one_warp(reads[i], others[i])} & int{others[i].use() != Use::guess};
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
    Mark* const reads = marks.reads.get();
    LineMark* const lines = marks.lines.make(words / LineMark::kWords);
    for (std::size_t line = word / LineMark::kWords; line <= (word + count - 1) / LineMark::kWords; ++line)
        lines[line].written = order_.now();
    Mark* const others = marks.other_reads.get();
    const bool harmless = all_harmless(writes, count, lane_shift) &&
                          (!reads || all_harmless(reads + word, count, lane_shift)) &&
                          (!others || all_harmless(others + word, count, lane_shift));
    if (!harmless || site_->compares) {
        for (std::size_t i = 0; i < count; ++i) store_word(marks, words, word + i, by(i));
        return;
    }
    if (reads) rely_on_own(reads + word, count, lane_shift);
    if (others) rely_on_own(others + word, count, lane_shift);
    if (Readers* const readers = marks.readers.get())
        for (std::size_t i = 0; i < count; ++i) follow(readers[word + i], by(i), 1);
    for (std::size_t i = 0; i < count; ++i) writes[i] = by(i);
    note_values(marks, words, word, count);
}

/// A word of global memory as it was when the request was told: what the block that ran last has left there.
std::uint32_t Races::value_of(std::size_t word) const {
    const std::uint64_t address = base_ + word * kWordBytes;
    if (request_->values && address % kWordBytes == 0) {
        const std::uint64_t distance = address < run_->address || run_->one_address ? 0 : address - run_->address;
        const Run lane = run_->single(static_cast<unsigned>(distance / run_->bytes));
        const std::uint64_t at = (address - lane.address / kWordBytes * kWordBytes) / kWordBytes;
        const std::size_t count = Request::values_of(run_->bytes);
        if (lane.first_lane < run_->first_lane + run_->lanes && at < count)
            return request_->values[lane.first_lane * count + at];
    }
    std::uint32_t value;
    std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return value;
}

void Races::note_values(Marks& marks, std::size_t words, std::size_t word, std::size_t count) const {
    if (!compares_values_ || shared_) return;
    std::uint32_t* const values = marks.values.make(words);
    for (std::size_t i = word; i < word + count; ++i) values[i] = value_of(i);
}

/// An access that is not of whole words.
void Races::one_lane(unsigned lane, std::uint64_t offset, unsigned bytes, Marks& marks, std::size_t words) {
    for_each_word(offset, bytes, words, [&](std::size_t word, std::uint64_t taken) {
        const Mark mine = mine_.by_next(lane).with_bytes(taken);
        writes_ ? store_word(marks, words, word, mine) : load_word(marks, words, word, mine);
    });
}

/// Several lanes access one address: the first and the last of them stand for all, but where each may go on otherwise.
void Races::same_word_by_all(const Run& run, Marks& marks, std::size_t words) {
    const std::uint64_t offset = run.address - base_;
    if (!writes_)
        return for_each_word(offset, run.bytes, words, [&](std::size_t word, std::uint64_t bytes) {
            load_word_by_all(run.lanes, marks, words, word, mine_.with_bytes(bytes));
        });
    for_each_word(offset, run.bytes, words, [&](std::size_t word, std::uint64_t bytes) {
        follow_reads(marks, word, mine_.with_bytes(bytes), run.lanes);
    });
    one_lane(0, offset, run.bytes, marks, words);
    if (!site_->is_atomic() || site_->is_volatile) one_lane(run.lanes - 1, offset, run.bytes, marks, words);
}

void Races::load_word_by_all(unsigned lanes, Marks& marks, std::size_t words, std::size_t word, Mark mine) {
    const Mark* const writes = marks.writes.get();
    const Mark write = writes ? writes[word] : Mark{};
    const bool each = write.since(floor_) && site_of(write)->compares;
    for (unsigned lane = 0; lane < lanes; lane += each ? 1 : lanes - 1) against(write, mine.by_next(lane), true, word);
    note_readers(marks, words, word, mine, lanes);
    keep_read(marks, words, word, mine);
    keep_read(marks, words, word, mine.by_next(lanes - 1));
}

void Races::load_word(Marks& marks, std::size_t words, std::size_t word, Mark mine) {
    if (const Mark* const writes = marks.writes.get()) against(writes[word], mine, true, word);
    note_read(marks, words, word, mine);
}

void Races::store_word(Marks& marks, std::size_t words, std::size_t word, Mark mine) {
    follow_reads(marks, word, mine, 1);
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
    if (site_->compares) against_readers(marks, word, mine);
    write = mine;
}

/// Whether the two readers that are kept of a word, the other one of this epoch, tell of one warp alone.
bool Races::of_one_warp(Mark first, Mark other) const {
    return (int{first.since(epoch_)} & int{same_warp(first, other)}) != 0;
}

void Races::note_read(Marks& marks, std::size_t words, std::size_t word, Mark mine) {
    const Mark first = marks.reads.make(words)[word];
    if (first.since(epoch_) && same_warp(first, mine)) note_readers(marks, words, word, mine, 1);
    keep_read(marks, words, word, mine);
}

/// Keeps a first reader, and of the later ones the last or one of another warp.
void Races::keep_read(Marks& marks, std::size_t words, std::size_t word, Mark mine) {
    Mark& first = marks.reads.make(words)[word];
    if (!first.since(floor_)) {
        first = mine;
        return;
    }
    if (reads_again(first, mine)) return;
    Mark& other = marks.other_reads.make(words)[word];
    if (other.since(floor_) && reads_again(other, mine)) return;
    if (!other.since(epoch_) || of_one_warp(first, other) || other.use() == Use::guess) other = mine;
}

/// So many lanes from `mine` on read. Of two groups that are not like each other the greater is kept.
void Races::note_readers(Marks& marks, std::size_t words, std::size_t word, Mark mine, unsigned lanes) {
    if (mine.atomic()) return;
    const std::uint32_t now = lanes_from(mine, lanes);
    Readers& readers = marks.readers.make(words)[word];
    if (!readers.have_like(mine)) {
        const bool of_now = readers.read.since(epoch_);
        if (of_now && std::popcount(readers.lanes()) > std::popcount(now)) return;
        readers = {.read = mine};
        const Mark first = marks.reads.make(words)[word];
        const std::uint32_t before = readers.have_like(first) ? lanes_from(first, 1) : 0;
        if (first.use() == Use::plain) readers.open = before;
        if (first.use() == Use::relied) readers.relied = before;
    }
    readers.relied |= readers.open & now;
    readers.open |= now;
}

/// Whether both reads are of one thread, in one epoch; the later one is kept.
bool Races::reads_again(Mark& kept, Mark mine) const {
    if (!kept.since(epoch_) || kept.thread() != mine.thread() || kept.bytes() != mine.bytes()) return false;
    if (block_of(kept) != clock_->block) return false;
    const bool relied = kept.use() == Use::plain || kept.use() == Use::relied;
    kept = relied && mine.use() == Use::plain ? mine.with_use(Use::relied) : mine;
    return true;
}

std::uint64_t Races::block_of(Mark mark) const {
    return shared_ || mark.stamp() == order_.now() ? clock_->block : order_.block_of(mark.stamp());
}

/// Whether a thread's write is a compare-and-swap of all that it read.
bool Races::vouches_for(Mark read, Mark mine) const { return site_->compares && (read.bytes() & ~mine.bytes()) == 0; }

/// One of so many lanes from `mine` on writes what it may have read: by a compare-and-swap, which vouches for the read,
/// or otherwise.
void Races::follow(Mark& read, Mark mine, unsigned lanes) const {
    if (!read.since(floor_) || read.use() != Use::plain || read.thread() - mine.thread() >= lanes) return;
    if (!(read.bytes() & mine.bytes()) || block_of(read) != clock_->block) return;
    read = read.with_use(vouches_for(read, mine) ? Use::guess : Use::relied);
}

void Races::follow(Readers& readers, Mark mine, unsigned lanes) const {
    const Mark read = readers.read;
    if (!read.since(floor_) || !same_warp(read, mine) || !(read.bytes() & mine.bytes())) return;
    if (block_of(read) != clock_->block) return;
    const std::uint32_t now = lanes_from(mine, lanes);
    if (!vouches_for(read, mine)) readers.relied |= readers.open & now;
    readers.open &= ~now;
}

void Races::follow_reads(Marks& marks, std::size_t word, Mark mine, unsigned lanes) const {
    if (Mark* const reads = marks.reads.get()) follow(reads[word], mine, lanes);
    if (Mark* const others = marks.other_reads.get()) follow(others[word], mine, lanes);
    if (Readers* const readers = marks.readers.get()) follow(readers[word], mine, lanes);
}

/// A compare-and-swap against the lanes that read the word together, but for those that have a mark of their own.
void Races::against_readers(Marks& marks, std::size_t word, Mark mine) {
    if (!marks.readers) return;
    const Readers readers = marks.readers.get()[word];
    if (!readers.read.since(floor_)) return;
    std::uint32_t lanes = readers.lanes();
    for (const auto* const kept : {&marks.reads, &marks.other_reads})
        if (*kept && readers.have_like(kept->get()[word])) lanes &= ~lanes_from(kept->get()[word], 1);
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
        const Use use = readers.relied >> lane & 1 ? Use::relied : Use::plain;
        against(readers.read.with_lane(lane).with_use(use), mine, false, word);
    }
}

/// The lanes access words again that they read before.
void Races::come_back(const Run& run, unsigned warp) {
    if (!guesses_.touch(run.address, run.address + run.span())) return;
    for (unsigned lane = 0; lane < run.lanes; ++lane) {
        const Run one = run.single(lane);
        const ThreadId thread{clock_->block, warp * kLanes + one.first_lane};
        for_each_word(one.address, one.bytes, ~std::size_t{0} / kWordBytes,
                      [&](std::uint64_t word, std::uint64_t bytes) {
                          guesses_.come_back({thread, word * kWordBytes, bytes}, site_->compares,
                                             [this](const Conflict& conflict) { suspect(conflict); });
                      });
    }
}

/// Whether one of two atomic accesses is one for its own block alone, which is not the other's.
bool Races::narrow(Mark earlier, Mark mine) const {
    if (shared_ || !(site_of(earlier)->block_scope || site_of(mine)->block_scope)) return false;
    return block_of(earlier) != clock_->block;
}

/// Whether an earlier access and this one, one of which writes, are a suspect.
void Races::against(Mark earlier, Mark mine, bool earlier_writes, std::size_t word) {
    if (!earlier.since(floor_) || !(earlier.bytes() & mine.bytes())) return;
    const bool both_atomic = earlier.atomic() && mine.atomic();
    const bool both_volatile = both_atomic && site_of(earlier)->is_volatile && site_->is_volatile;
    if (both_atomic && !both_volatile && !narrow(earlier, mine)) return;
    const std::uint64_t block = block_of(earlier);
    const ThreadId thread{block, earlier.thread()};
    const bool one_block = block == clock_->block, one_warp = one_block && thread.warp() == mine.thread() / kLanes;
    if (one_block && order_.knows(*clock_, mine.thread(), thread.thread, earlier.stamp())) return;
    if (one_block && clock_->partial_barriers && !one_warp) return;
    // A flag that one polls and another sets. In shared memory, and within a warp, volatile stands for a barrier that
    // is missing: the accesses do not tear, and their order is still nobody's.
    if (both_volatile && !shared_ && !one_warp) return;
    const Site *const earlier_site = site_of(earlier), *const later_site = site_of(mine);
    const bool narrow_atomics =
        earlier.atomic() && mine.atomic() && !earlier_site->is_volatile && !later_site->is_volatile;
    const bool one_statement = earlier_writes && writes_ && earlier.site() == mine.site();
    // The barrier and the meeting before the earlier one are not known: as if it had just passed both.
    const Conflict conflict{.earlier_site = earlier_site,
                            .later_site = later_site,
                            .earlier = {thread, earlier.stamp(), earlier.stamp(), earlier.stamp()},
                            .later = order_.moment(*clock_, mine.thread()),
                            .address = base_ + word * kWordBytes,
                            .object = object_,
                            .epoch = one_block ? interval_of(*earlier_site, *later_site) : EpochInterval{},
                            .one_statement = one_statement && !narrow_atomics,
                            .values_differ = changes_value_ && one_statement && !one_block,
                            .narrow_atomics = narrow_atomics};
    const bool one_reads = earlier_writes != writes_;
    if (one_reads && read_is_a_guess(conflict, earlier_writes ? mine : earlier, earlier_writes)) return;
    suspect(conflict);
}

/// Whether the read of the two is of what the other compares and swaps, and for its own thread to compare as well,
/// which may come later.
bool Races::read_is_a_guess(const Conflict& conflict, Mark read, bool reads_now) {
    const Site* const write = reads_now ? conflict.earlier_site : conflict.later_site;
    if (!write->compares || read.atomic() || read.use() == Use::relied) return false;
    if (read.use() == Use::guess) return true;
    const ThreadId reader = reads_now ? conflict.later.thread : conflict.earlier.thread;
    if (reader.block != clock_->block && !order_.runs(reader.block)) return false;
    guesses_.open({reader, conflict.address, read.bytes()}, conflict);
    return true;
}

void Races::suspect(const Conflict& conflict) {
    const bool one_block = conflict.in_one_block(), one_warp = conflict.in_one_warp();
    const std::uint64_t key =
        std::uint64_t{conflict.earlier_site->id} << 32 | conflict.later_site->id << 1 | std::uint64_t{one_warp};
    Suspects& all = suspects_[key];
    if (all.count == 0) {
        all.earlier = conflict.earlier_site;
        all.later = conflict.later_site;
        all.rule = one_warp && !conflict.one_statement ? Rule::warp_synchrony : Rule::race;
        all.narrow_atomics = conflict.narrow_atomics;
        all.one_statement = conflict.one_statement;
        all.object = conflict.object;
    }
    all.count += conflict.count;
    if (all.epoch.start == 0) all.epoch = conflict.epoch;
    const bool first_between_blocks = !one_block && !all.between_blocks;
    all.between_blocks |= !one_block;
    all.lowest = std::min(all.lowest, conflict.address);
    all.end = std::max(all.end, conflict.address + kWordBytes);
    const bool first_to_differ = conflict.values_differ && !all.values_differ;
    all.values_differ |= conflict.values_differ;
    const bool telling = first_to_differ || first_between_blocks;
    if (all.first.size() >= kMostSuspects && !telling) return;
    const Suspect found{conflict.earlier, conflict.later, conflict.address};
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

void Races::block_ends(std::uint64_t block) {
    if (!guesses_.empty()) guesses_.block_ends(block, [this](const Conflict& conflict) { suspect(conflict); });
}

void Races::launch_ends() {
    guesses_.launch_ends([this](const Conflict& conflict) { suspect(conflict); });
    for (const auto& [key, suspects] : suspects_) judge(suspects);
    suspects_.clear();
    sites_.clear();
    passed_.clear();
    ranked_since_ = 0;
}

}  // namespace lanework

// Guesses in a hash table, by thread and word.
#include "src/trace/analyse/guesses.hpp"

#include <algorithm>

namespace lanework {
namespace {

constexpr std::size_t kFirstGuesses = 256;

bool is_of(const WordAccess& read, const WordAccess& access) {
    return read.address == access.address && read.thread == access.thread;
}

}  // namespace

std::size_t Guesses::home(const WordAccess& access) const {
    const std::uint64_t value =
        access.address / kWordBytes + (access.thread.block << 32) + access.thread.thread * 40503u;
    return static_cast<std::size_t>(value * 0x9e3779b97f4a7c15u >> 32) & (slots_.size() - 1);
}

/// Its place, or the free one that it may have.
std::size_t Guesses::find(const WordAccess& access) const {
    std::size_t slot = home(access);
    while (slots_[slot].read.bytes != 0 && !is_of(slots_[slot].read, access)) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
}

void Guesses::grow() {
    std::vector<Guess> before = std::move(slots_);
    slots_.assign(std::max(kFirstGuesses, before.size() * 2), {});
    for (const Guess& guess : before)
        if (guess.read.bytes != 0) slots_[find(guess.read)] = guess;
}

void Guesses::open(const WordAccess& read, const Conflict& conflict) {
    if (2 * count_ >= slots_.size()) grow();
    Guess& guess = slots_[find(read)];
    if (guess.read.bytes == 0) {
        guess = {.read = read, .number = opened_++, .first = kNobody};
        ++count_;
        low_ = std::min(low_, read.address);
        high_ = std::max(high_, read.address + kWordBytes);
    }
    guess.read.bytes |= read.bytes;
    keep(guess, conflict);
}

void Guesses::keep(Guess& guess, const Conflict& conflict) {
    for (std::uint32_t each = guess.first; each != kNobody; each = kept_[each].next)
        if (kept_[each].conflict.is_like(conflict)) {
            ++kept_[each].conflict.count;
            return;
        }
    if (free_ == kNobody) {
        free_ = static_cast<std::uint32_t>(kept_.size());
        kept_.push_back({{}, kNobody});
    }
    const std::uint32_t taken = free_;
    free_ = kept_[taken].next;
    kept_[taken] = {conflict, guess.first};
    guess.first = taken;
}

void Guesses::take(const Guess& guess, const Take& take) const {
    for (std::uint32_t each = guess.first; each != kNobody; each = kept_[each].next) take(kept_[each].conflict);
}

void Guesses::come_back(const WordAccess& access, bool compares, const Take& take_it) {
    const std::size_t slot = find(access);
    const Guess& guess = slots_[slot];
    if ((guess.read.bytes & access.bytes) == 0) return;
    const bool vouched = compares && (guess.read.bytes & ~access.bytes) == 0;
    if (!vouched) take(guess, take_it);
    close(slot);
}

/// Guesses behind it that found its place taken move up.
void Guesses::close(std::size_t slot) {
    for (std::uint32_t each = slots_[slot].first; each != kNobody;) {
        const std::uint32_t next = kept_[each].next;
        kept_[each].next = free_;
        free_ = each;
        each = next;
    }
    const std::size_t last = slots_.size() - 1;
    for (std::size_t other = (slot + 1) & last; slots_[other].read.bytes != 0; other = (other + 1) & last) {
        const bool may_move = ((other - home(slots_[other].read)) & last) >= ((other - slot) & last);
        if (!may_move) continue;
        slots_[slot] = slots_[other];
        slot = other;
    }
    slots_[slot] = {};
    if (--count_ != 0) return;
    low_ = ~std::uint64_t{0};
    high_ = 0;
}

/// In the order in which they were opened: that of the table is another in every run.
template <class Wanted>
void Guesses::take_where(Wanted wanted, const Take& take_it) {
    std::vector<Guess> taken;
    for (const Guess& guess : slots_)
        if (guess.read.bytes != 0 && wanted(guess.read)) taken.push_back(guess);
    std::ranges::sort(taken, {}, &Guess::number);
    for (const Guess& guess : taken) take(guess, take_it);
    for (const Guess& guess : taken) close(find(guess.read));
}

void Guesses::block_ends(std::uint64_t block, const Take& take_it) {
    take_where([block](const WordAccess& read) { return read.thread.block == block; }, take_it);
}

void Guesses::launch_ends(const Take& take_it) {
    if (!empty()) take_where([](const WordAccess&) { return true; }, take_it);
}

}  // namespace lanework

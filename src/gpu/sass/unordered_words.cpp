// A cell for each line of words, or each word of one that several come to, with who read it, wrote it and changed it
// last.
#include "src/gpu/sass/unordered_words.hpp"

#include <algorithm>
#include <cstring>

namespace lanework::machine {
namespace {

// A warp of a block between two barriers, as one number: block, epoch, warp; 0 is nobody.
constexpr unsigned kEpochBits = 20, kWarpBits = 6;
constexpr std::uint64_t kManyWarps = (std::uint64_t{1} << kWarpBits) - 1, kSeveralBlocks = ~std::uint64_t{0};
enum Found : unsigned { kFinds = 1, kLeaves = 2 };

std::uint64_t number_of(const Accessor& accessor) {
    const std::uint64_t epoch = std::min(accessor.epoch, (std::uint64_t{1} << kEpochBits) - 1);
    return (accessor.block + 1) << (kEpochBits + kWarpBits) | epoch << kWarpBits | accessor.warp;
}
bool of_one_block(std::uint64_t a, std::uint64_t b) {
    return a >> (kEpochBits + kWarpBits) == b >> (kEpochBits + kWarpBits);
}

/// Whether nothing says which of two comes first. Lanes of a warp go together.
bool unordered(std::uint64_t last, std::uint64_t who) {
    if (last == 0 || last == who) return false;
    return !of_one_block(last, who) || last >> kWarpBits == who >> kWarpBits;
}

void take(std::uint64_t& last, std::uint64_t who) {
    if (!unordered(last, who))
        last = who;
    else
        last = of_one_block(last, who) ? who | kManyWarps : kSeveralBlocks;
}

}  // namespace

unsigned AccessOrder::meet(Cell& cell, const Access& access, bool keeps) {
    unsigned found = 0;
    if (access.kind == Kind::load) {
        if (unordered(cell.changer, access.who)) found |= kFinds;
        if (keeps) take(cell.reader, access.who);
        return found;
    }
    const bool store = access.kind == Kind::store;
    const bool together = cell.instruction == access.instruction && cell.instruction != 0;
    if (access.changes && unordered(cell.reader, access.who)) found |= kFinds;
    if (access.changes && (unordered(cell.writer, access.who) || (together && store))) found |= kLeaves;
    if (store) {
        if (access.changes && unordered(cell.changer, access.who)) found |= kLeaves;
        // What an update gives back, or would have done.
        if (access.changes && unordered(cell.updater, access.who)) found |= kFinds;
        if (cell.updated && unordered(cell.updater, access.who)) found |= kLeaves;
        // It leaves what it finds, which was another value in between.
        if (cell.churned && unordered(cell.changer, access.who)) found |= kLeaves;
    } else if (unordered(cell.storer, access.who)) {
        found |= kFinds;
    }
    if (!keeps) return found;
    if (access.changes) {
        cell.churned = cell.changer == access.who || unordered(cell.changer, access.who);
        take(cell.changer, access.who);
    }
    if (store) {
        take(cell.writer, access.who);
        if (access.changes) take(cell.storer, access.who);
        cell.instruction = access.instruction;
    } else {
        take(cell.updater, access.who);
        cell.updated = cell.updated || access.changes;
    }
    return found;
}

unsigned AccessOrder::meet_alone(Line& line, std::uint64_t word, const Access& access) {
    const std::uint32_t bit = std::uint32_t{1} << word % kLineWords;
    line.who = access.who;
    if (access.kind == Kind::load) {
        line.read |= bit;
        return 0;
    }
    if (access.changes) {
        line.churned |= line.changed & bit;
        line.changed |= bit;
    }
    if (access.kind == Kind::update) {
        line.updates |= bit;
        if (access.changes) line.updated |= bit;
        return 0;
    }
    if (access.changes) line.stored |= bit;
    if (line.instruction != access.instruction) line.together = 0;
    const bool again = (line.together & bit) != 0;
    line.instruction = access.instruction;
    line.together |= bit;
    line.written |= bit;
    return again && access.changes ? unsigned{kLeaves} : 0u;
}

void AccessOrder::part(Line& line) {
    line.words = std::make_unique<std::array<Cell, kLineWords>>();
    for (std::uint64_t i = 0; i < kLineWords; ++i) {
        const auto of = [&](std::uint32_t bits, std::uint64_t value) { return bits >> i & 1 ? value : 0; };
        (*line.words)[i] = {.reader = of(line.read, line.who),
                            .writer = of(line.written, line.who),
                            .storer = of(line.stored, line.who),
                            .updater = of(line.updates, line.who),
                            .changer = of(line.changed, line.who),
                            .instruction = of(line.together, line.instruction),
                            .churned = of(line.churned, 1) != 0,
                            .updated = of(line.updated, 1) != 0};
    }
}

AccessOrder::Line& AccessOrder::line_of(bool shared, std::uint64_t block, std::uint64_t word) {
    const std::uint64_t line = word / kLineWords, number = line / kPageLines;
    if (last_number_[shared] != number || (shared && last_block_ != block)) {
        last_number_[shared] = number;
        if (shared) last_block_ = block;
        last_page_[shared] = &(shared ? shared_[block] : global_)[number];
    }
    return (*last_page_[shared])[line % kPageLines];
}

void AccessOrder::access(Kind kind, bool shared, std::uint64_t address, unsigned bytes, const Accessor& accessor,
                         const void* old, const void* fresh) {
    Access each{kind, shared, number_of(accessor), accessor.instruction, false};
    const auto differs = [&](std::uint64_t from, std::uint64_t count) {
        return kind != Kind::load && std::memcmp(static_cast<const std::byte*>(old) + from,
                                                 static_cast<const std::byte*>(fresh) + from, count) != 0;
    };
    for (std::uint64_t at = 0; at < bytes;) {
        const std::uint64_t word = (address + at) / kWordBytes;
        Line& line = line_of(shared, accessor.block, word);
        const std::uint64_t count = std::min<std::uint64_t>(kWordBytes, bytes - at);
        const bool narrow = count < kWordBytes;
        each.changes = differs(at, count);
        unsigned found = 0;
        if (!narrow && !line.words && (line.who == 0 || line.who == each.who)) {
            found = meet_alone(line, word, each);
        } else {
            if (!line.words) part(line);
            found = meet((*line.words)[word % kLineWords], each, !narrow);
            if (narrow && !line.bytes) line.bytes = std::make_unique<std::array<Cell, kLineWords * kWordBytes>>();
            if (line.bytes)
                for (std::uint64_t i = at; i < at + count; ++i) {
                    each.changes = differs(i, 1);
                    found |= meet((*line.bytes)[(address + i) % (kLineWords * kWordBytes)], each, narrow);
                }
        }
        if (found != 0) {
            DoubtfulMemory& words = shared ? words_.shared : found & kLeaves ? words_.left : words_.found;
            words.add(DoubtfulMemory::order, word * kWordBytes, kWordBytes);
        }
        at += count;
    }
}

void AccessOrder::end(std::uint64_t block) {
    shared_.erase(block);
    if (last_block_ == block) last_number_[1] = ~std::uint64_t{0};
}

void AccessOrder::load(bool shared, std::uint64_t address, unsigned bytes, const Accessor& accessor) {
    access(Kind::load, shared, address, bytes, accessor, nullptr, nullptr);
}
void AccessOrder::store(bool shared, std::uint64_t address, unsigned bytes, const Accessor& accessor, const void* old,
                        const void* fresh) {
    access(Kind::store, shared, address, bytes, accessor, old, fresh);
}
void AccessOrder::update(bool shared, std::uint64_t address, unsigned bytes, const Accessor& accessor, const void* old,
                         const void* fresh) {
    access(Kind::update, shared, address, bytes, accessor, old, fresh);
}

}  // namespace lanework::machine

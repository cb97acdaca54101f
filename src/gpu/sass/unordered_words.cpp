// A cell for each word, with who read it, wrote it and changed it last.
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
    if (access.changes && unordered(cell.reader, access.who)) found |= kFinds;
    const bool together = cell.instruction == access.instruction && cell.instruction != 0;
    if (access.changes && (unordered(cell.writer, access.who) || (together && access.kind == Kind::store)))
        found |= kLeaves;
    if (access.kind == Kind::store && access.changes && unordered(cell.changer, access.who)) found |= kLeaves;
    if (!keeps) return found;
    if (access.changes) take(cell.changer, access.who);
    if (access.kind == Kind::store) {
        take(cell.writer, access.who);
        cell.instruction = access.instruction;
    }
    return found;
}

AccessOrder::Page& AccessOrder::page_of(bool shared, std::uint64_t block, std::uint64_t word) {
    const std::uint64_t number = word / kPageWords;
    if (last_number_[shared] == number && (!shared || last_block_ == block)) return *last_page_[shared];
    last_number_[shared] = number;
    if (shared) last_block_ = block;
    return *(last_page_[shared] = &(shared ? shared_[block] : global_)[number]);
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
        Page& page = page_of(shared, accessor.block, word);
        Cell& cell = page.words[word % kPageWords];
        const std::uint64_t count = std::min<std::uint64_t>(kWordBytes, bytes - at);
        const bool narrow = count < kWordBytes;
        each.changes = differs(at, count);
        unsigned found = meet(cell, each, !narrow);
        if (narrow && !page.bytes) page.bytes = std::make_unique<std::array<Cell, kPageWords * kWordBytes>>();
        if (page.bytes)
            for (std::uint64_t i = at; i < at + count; ++i) {
                each.changes = differs(i, 1);
                found |= meet((*page.bytes)[(address + i) % (kPageWords * kWordBytes)], each, narrow);
            }
        if (found != 0) {
            DoubtfulMemory& words = shared ? words_.shared : found & kLeaves ? words_.left : words_.found;
            words.add(DoubtfulMemory::order, word * kWordBytes, kWordBytes);
        }
        at += count;
    }
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

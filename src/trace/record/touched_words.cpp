// Whole runs at once; most accesses are in a piece that was accessed not long ago.
#include "src/trace/record/touched_words.hpp"

#include <algorithm>

namespace lanework {

void TouchedWords::clear() {
    for (auto& [index, piece] : pieces_) spare_.push_back(std::move(piece));
    pieces_.clear();
    recent_.fill(nullptr);
    constexpr std::size_t kMostSpare = 1024;
    if (spare_.size() > kMostSpare) spare_.resize(kMostSpare);
}

TouchedPiece& TouchedWords::piece(std::uint64_t index) {
    TouchedPiece*& last = recent_[index % kRecent];
    if (last && last->address == index * TouchedPiece::kBytes) return *last;
    std::unique_ptr<TouchedPiece>& found = pieces_[index];
    if (!found) {
        if (spare_.empty()) {
            found = std::make_unique<TouchedPiece>();
        } else {
            found = std::move(spare_.back());
            spare_.pop_back();
            *found = {};
        }
        found->address = index * TouchedPiece::kBytes;
    }
    last = found.get();
    return *found;
}

void TouchedWords::add_run(const Site& site, std::uint64_t address, std::uint64_t bytes) {
    const bool writes = site.kind != EventKind::load;
    const bool part = address % kTouchedWordBytes != 0 || bytes % kTouchedWordBytes != 0;
    const bool reads = site.kind != EventKind::store || part;
    const bool polls = site.is_volatile || site.atomic_access;
    std::uint64_t word = address / kTouchedWordBytes;
    for (const std::uint64_t end = (address + bytes - 1) / kTouchedWordBytes + 1; word < end;) {
        const std::size_t first = word % WordBits::kWords;
        const std::size_t count = std::min<std::uint64_t>(WordBits::kWords - first, end - word);
        TouchedPiece& here = piece(word / WordBits::kWords);
        if (reads) here.read.set(first, count);
        if (writes) here.written.set(first, count);
        here.polled = here.polled || polls;
        word += count;
    }
}

void TouchedWords::add(const Request& request) {
    for_each_run(request, [&](const Run& run) { add_run(*request.site, run.address, run.span()); });
}

std::vector<const TouchedPiece*> TouchedWords::pieces() const {
    std::vector<const TouchedPiece*> all;
    all.reserve(pieces_.size());
    for (const auto& [index, piece] : pieces_) all.push_back(piece.get());
    std::ranges::sort(all, {}, &TouchedPiece::address);
    return all;
}

}  // namespace lanework

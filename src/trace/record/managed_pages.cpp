#include "src/trace/record/managed_pages.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "src/gpu/memory_units.hpp"
#include "src/gpu/page_faults.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/host_touches.hpp"
#include "src/trace/record/program_memory.hpp"

namespace lanework {
namespace {

std::size_t hash_of(std::uint64_t begin, std::uint64_t bytes) {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(begin), bytes});
}

}  // namespace

ManagedPages::Ranges& ManagedPages::ranges() {
    if (std::exchange(complete_, true)) return ranges_;
    for (const AddressRange& variables : managed_variables())
        allocated(reinterpret_cast<const void*>(variables.low), variables.high - variables.low);
    for (const lanework_simt::Allocation& memory : lanework_simt::memory_map().all())
        if (memory.origin == lanework_simt::Origin::managed &&
            ranges_.count(reinterpret_cast<std::uint64_t>(memory.base)) == 0)
            allocated(memory.base, memory.bytes);
    return ranges_;
}

template <class See, class SeeRange>
void ManagedPages::each_piece(std::uint64_t first, std::uint64_t bytes, See&& see, SeeRange&& see_range) {
    auto each = ranges().upper_bound(first);
    if (each != ranges_.begin()) --each;
    for (; each != ranges_.end() && each->first < first + bytes; ++each) {
        auto& [base, range] = *each;
        const std::uint64_t from = std::max(first, base), end = std::min(first + bytes, base + range.bytes);
        if (from >= end) continue;
        for (std::uint64_t piece = (from - base) / kFaultBytes; piece <= (end - 1 - base) / kFaultBytes; ++piece)
            see(range.pieces[piece]);
        see_range(base, range);
    }
}
template <class See>
void ManagedPages::each_piece(std::uint64_t first, std::uint64_t bytes, See&& see) {
    each_piece(first, bytes, see, [](std::uint64_t, Range&) {});
}

void ManagedPages::allocated(const void* base, std::uint64_t bytes) {
    if (bytes == 0) return;
    released(base);
    ranges_[reinterpret_cast<std::uint64_t>(base)] = {
        .bytes = bytes, .pieces = std::vector<Piece>((bytes + kFaultBytes - 1) / kFaultBytes)};
}

void ManagedPages::released(const void* base) {
    const auto found = ranges_.find(reinterpret_cast<std::uint64_t>(base));
    if (found == ranges_.end()) return;
    if (found->second.watched) lanework_simt::forget_host_memory(found->first, found->second.bytes);
    ranges_.erase(found);
}

void ManagedPages::put_home(const std::vector<std::uint64_t>& touched) {
    for (const std::uint64_t address : touched) each_piece(address, 1, [](Piece& piece) { piece.put(false); });
}

void ManagedPages::look_at_host(std::uint64_t base, Range& range) {
    if (stopped_ || std::exchange(range.watched, true)) return;
    std::vector<lanework_simt::HostMemoryRange> parts;
    for (std::size_t piece = 0, end = 0; piece < range.pieces.size(); piece = end) {
        const bool read_mostly = range.pieces[piece].read_mostly;
        while (end < range.pieces.size() && range.pieces[end].read_mostly == read_mostly) ++end;
        const std::uint64_t from = piece * kFaultBytes, to = std::min(end * kFaultBytes, range.bytes);
        parts.push_back({base + from, to - from, kFaultBytes, read_mostly});
    }
    lanework_simt::watch_host_memory(parts);
}

void ManagedPages::look_at_host() {
    for (auto& [base, range] : ranges()) look_at_host(base, range);
}

void ManagedPages::read_mostly(std::uint64_t first, std::uint64_t bytes, bool is) {
    each_piece(
        first, bytes, [is](Piece& piece) { piece.read_mostly = is; },
        [this](std::uint64_t base, Range& range) {
            if (!range.watched) return;
            put_home(lanework_simt::take_host_touches(base, range.bytes));
            lanework_simt::forget_host_memory(base, range.bytes);
            range.watched = false;
            look_at_host(base, range);
        });
}

void ManagedPages::sent(std::uint64_t first, std::uint64_t bytes) {
    lanework_simt::take_host_touches(first, bytes);  // of before
    each_piece(
        first, bytes, [](Piece& piece) { piece.put(true); },
        [this](std::uint64_t base, Range& range) { look_at_host(base, range); });
}

void ManagedPages::sent_home(std::uint64_t first, std::uint64_t bytes) {
    each_piece(first, bytes, [](Piece& piece) {
        if (!piece.read_mostly) piece.put(false);  // a copy goes
    });
}
void ManagedPages::changed(std::uint64_t first, std::uint64_t bytes) {
    each_piece(first, bytes, [](Piece& piece) { piece.hash.reset(); });
}

void ManagedPages::launch_unseen() {
    lanework_simt::take_host_touches();  // of before
    for (auto& [base, range] : ranges())
        for (Piece& piece : range.pieces) piece.put(true);
    look_at_host();
}

void ManagedPages::launch_begins() {
    put_home(lanework_simt::take_host_touches());
    for (auto& [base, range] : ranges())
        for (std::size_t i = 0; i < range.pieces.size(); ++i) {
            Piece& piece = range.pieces[i];
            if (!piece.hash) continue;
            const std::uint64_t at = i * kFaultBytes;
            if (*piece.hash != hash_of(base + at, std::min(kFaultBytes, range.bytes - at))) piece.put(false);
        }
}

std::uint64_t ManagedPages::launch_ends(const TouchedMemory& touched) {
    const std::vector<std::uint64_t> meanwhile = lanework_simt::take_host_touches();
    std::uint64_t came = 0;
    for (auto& [base, range] : ranges())
        for (std::size_t i = 0; i < range.pieces.size(); ++i) {
            Piece& piece = range.pieces[i];
            const std::uint64_t at = base + i * kFaultBytes, bytes = std::min(kFaultBytes, base + range.bytes - at);
            const std::uint64_t first = at / kSectorBytes, end = (at + bytes + kSectorBytes - 1) / kSectorBytes;
            if (!piece.on_device && touched.read.count(first, end) + touched.written.count(first, end) == 0) continue;
            if (!piece.on_device) came += bytes;
            piece.on_device = true;
            piece.hash = hash_of(at, bytes);
        }
    put_home(meanwhile);
    look_at_host();
    return came;
}

void ManagedPages::stop() {
    stopped_ = true;
    for (const auto& [base, range] : ranges_)
        if (range.watched) lanework_simt::forget_host_memory(base, range.bytes);
    ranges_.clear();
    complete_ = true;
}

}  // namespace lanework

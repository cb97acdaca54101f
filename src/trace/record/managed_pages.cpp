#include "src/trace/record/managed_pages.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

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

template <class See>
void ManagedPages::each(See&& see) {
    const auto see_bytes = [&](std::uint64_t base, std::uint64_t bytes) {
        Range& range = ranges_[base];
        if (range.bytes != bytes) range = {bytes, {}};
        range.pieces.resize((bytes + kFaultBytes - 1) / kFaultBytes);
        see(base, range);
    };
    for (const AddressRange& variables : managed_variables()) see_bytes(variables.low, variables.high - variables.low);
    for (const lanework_simt::Allocation& memory : lanework_simt::memory_map().all())
        if (memory.origin == lanework_simt::Origin::managed && memory.bytes != 0)
            see_bytes(reinterpret_cast<std::uint64_t>(memory.base), memory.bytes);
}

template <class See>
void ManagedPages::each_piece(std::uint64_t first, std::uint64_t bytes, See&& see) {
    each([&](std::uint64_t base, Range& range) {
        const std::uint64_t from = std::max(first, base), end = std::min(first + bytes, base + range.bytes);
        if (from >= end) return;
        for (std::uint64_t piece = (from - base) / kFaultBytes; piece <= (end - 1 - base) / kFaultBytes; ++piece)
            see(range.pieces[piece]);
    });
}

void ManagedPages::allocated(const void* base) { ranges_.erase(reinterpret_cast<std::uint64_t>(base)); }

void ManagedPages::take_home() {
    for (const std::uint64_t touched : lanework_simt::take_host_touches())
        each_piece(touched, 1, [](Piece& piece) { piece = {}; });
}

void ManagedPages::look_at_host() {
    std::vector<lanework_simt::HostMemoryRange> all;
    each([&](std::uint64_t base, const Range& range) { all.push_back({base, range.bytes, kFaultBytes}); });
    lanework_simt::watch_host_memory(all);
}

void ManagedPages::sent(std::uint64_t first, std::uint64_t bytes) {
    take_home();
    each_piece(first, bytes, [](Piece& piece) { piece = {.on_device = true}; });
    look_at_host();
}
void ManagedPages::sent_home(std::uint64_t first, std::uint64_t bytes) {
    take_home();
    each_piece(first, bytes, [](Piece& piece) { piece = {}; });
}
void ManagedPages::changed(std::uint64_t first, std::uint64_t bytes) {
    each_piece(first, bytes, [](Piece& piece) { piece.hash.reset(); });
}

void ManagedPages::launch_unseen() {
    each([](std::uint64_t, Range& range) {
        for (Piece& piece : range.pieces) piece = {.on_device = true};
    });
    look_at_host();
}

void ManagedPages::launch_begins() {
    take_home();
    each([](std::uint64_t base, Range& range) {
        for (std::size_t i = 0; i < range.pieces.size(); ++i) {
            Piece& piece = range.pieces[i];
            if (!piece.hash) continue;
            const std::uint64_t at = i * kFaultBytes;
            if (*piece.hash != hash_of(base + at, std::min(kFaultBytes, range.bytes - at))) piece = {};
        }
    });
}

std::uint64_t ManagedPages::launch_ends(const TouchedMemory& touched) {
    std::uint64_t came = 0;
    each([&](std::uint64_t base, Range& range) {
        for (std::size_t i = 0; i < range.pieces.size(); ++i) {
            Piece& piece = range.pieces[i];
            const std::uint64_t at = base + i * kFaultBytes, bytes = std::min(kFaultBytes, base + range.bytes - at);
            const std::uint64_t first = at / kSectorBytes, end = (at + bytes + kSectorBytes - 1) / kSectorBytes;
            if (!piece.on_device && touched.read.count(first, end) + touched.written.count(first, end) == 0) continue;
            if (!piece.on_device) came += bytes;
            piece = {.on_device = true, .hash = hash_of(at, bytes)};
        }
    });
    look_at_host();
    return came;
}

}  // namespace lanework

#include "src/trace/record/managed_pages.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include "src/gpu/memory_units.hpp"
#include "src/gpu/page_faults.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/trace/record/program_memory.hpp"

namespace lanework {
namespace {

std::size_t hash_of(std::uint64_t begin, std::uint64_t bytes) {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(begin), bytes});
}

}  // namespace

template <class See>
void ManagedPages::each(See&& see) {
    const auto see_bytes = [&](std::uint64_t base, std::uint64_t bytes, bool variables) {
        Range& range = ranges_[base];
        if (range.bytes != bytes) range = {bytes, variables, {}};
        range.pieces.resize((bytes + kFaultBytes - 1) / kFaultBytes);
        see(base, range);
    };
    for (const AddressRange& variables : managed_variables())
        see_bytes(variables.low, variables.high - variables.low, true);
    for (const lanework_simt::Allocation& memory : lanework_simt::memory_map().all())
        if (memory.origin == lanework_simt::Origin::managed && memory.bytes != 0)
            see_bytes(reinterpret_cast<std::uint64_t>(memory.base), memory.bytes, false);
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

void ManagedPages::sent(std::uint64_t first, std::uint64_t bytes) {
    each_piece(first, bytes, [](Piece& piece) { piece = {.on_device = true}; });
}
void ManagedPages::sent_home(std::uint64_t first, std::uint64_t bytes) {
    each_piece(first, bytes, [](Piece& piece) { piece = {}; });
}
void ManagedPages::changed(std::uint64_t first, std::uint64_t bytes) {
    each_piece(first, bytes, [](Piece& piece) { piece.hash.reset(); });
}

void ManagedPages::host_waited() {
    each([](std::uint64_t, Range& range) {
        for (Piece& piece : range.pieces)
            if (piece.has_news) piece = {};
    });
}

void ManagedPages::launch_unseen() {
    each([](std::uint64_t, Range& range) {
        for (Piece& piece : range.pieces) piece = {.on_device = true};
    });
}

void ManagedPages::launch_begins() {
    each([](std::uint64_t base, Range& range) {
        for (std::size_t i = 0; i < range.pieces.size(); ++i) {
            Piece& piece = range.pieces[i];
            if (!piece.hash && !range.variables) continue;
            const std::uint64_t at = i * kFaultBytes;
            const std::size_t now = hash_of(base + at, std::min(kFaultBytes, range.bytes - at));
            if (piece.hash && *piece.hash != now) piece = {};
            piece.before = now;
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
            const std::size_t now = hash_of(at, bytes);
            const bool has_news = piece.has_news || (range.variables && piece.before && *piece.before != now);
            piece = {.on_device = true, .hash = now, .before = now, .has_news = has_news};
        }
    });
    return came;
}

}  // namespace lanework

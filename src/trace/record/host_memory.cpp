// The book of allocations with their calls, and what is said of a call that goes wrong.
#include "src/trace/record/host_memory.hpp"

#include <fmt/format.h>

#include <iterator>
#include <lanework_simt/error.hpp>
#include <optional>
#include <tuple>

#include "src/simt/api_memory_map.hpp"

namespace lanework {
namespace {

using lanework_simt::Origin;

constexpr std::size_t kMostFreed = 4096;

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

std::string bytes_text(std::size_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

std::string_view freeing(Origin origin) {
    switch (origin) {
        case Origin::host: return "cudaFreeHost";
        case Origin::registered: return "cudaHostUnregister";
        default: return "cudaFree";
    }
}

std::string_view kind(Origin origin) {
    switch (origin) {
        case Origin::host: return "page-locked memory";
        case Origin::managed: return "managed memory";
        case Origin::registered: return "registered memory";
        case Origin::symbol: return "a variable";
        default: return "device memory";
    }
}

}  // namespace

const HostMemory::Pieces::value_type* HostMemory::holding(const Pieces& pieces, std::uint64_t address) {
    const auto after = pieces.upper_bound(address);
    if (after == pieces.begin()) return nullptr;
    const auto& candidate = *std::prev(after);
    return address - candidate.first < candidate.second.bytes ? &candidate : nullptr;
}

void HostMemory::allocated(const void* base, std::size_t bytes, Origin origin) {
    const std::uint64_t begin = number(base);
    const std::lock_guard lock(mutex_);
    auto old = freed_.upper_bound(begin);
    if (old != freed_.begin() && std::prev(old)->first + std::prev(old)->second.bytes > begin) --old;
    while (old != freed_.end() && old->first < begin + bytes) old = freed_.erase(old);
    live_[begin] = {bytes, origin, host_callers(), {}};
}

void HostMemory::released(const void* base) {
    const std::lock_guard lock(mutex_);
    auto piece = live_.extract(number(base));
    if (piece.empty() || !is_owed(piece.mapped().origin) || freed_.size() >= kMostFreed) return;
    piece.mapped().freed = host_callers();
    freed_.insert(std::move(piece));
}

void HostMemory::tell(Rule rule, std::string evidence, std::string remedy) {
    found_({.rule = rule,
            .severity = Severity::error,
            .place = place(host_callers()),
            .evidence = std::move(evidence),
            .remedy = std::move(remedy),
            .weight = 1,
            .other = {}});
}

void HostMemory::bad_free(const void* pointer) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t address = number(pointer);
    const SourcePlace here = place(host_callers());
    if (const auto* const freed = holding(freed_, address)) {
        const auto& [base, piece] = *freed;
        const std::string inside = address == base ? "" : bytes_text(address - base) + " into ";
        tell(Rule::invalid_free,
             fmt::format("frees {:#x} again: {}{} of {}, allocated in {}, were freed in {}", address, inside,
                         bytes_text(piece.bytes), kind(piece.origin), line_text(place(piece.allocated), here),
                         line_text(place(piece.freed), here)),
             "Free each allocation once; a pointer that is nullptr behind its free can be freed again.");
        return;
    }
    if (const auto* const live = holding(live_, address)) {
        const auto& [base, piece] = *live;
        const std::string from = line_text(place(piece.allocated), here);
        if (address != base)
            tell(Rule::invalid_free,
                 fmt::format("frees {:#x}, {} behind the start of {} of {}, allocated in {}", address,
                             bytes_text(address - base), bytes_text(piece.bytes), kind(piece.origin), from),
                 "Free the pointer that the allocation gave.");
        else
            tell(Rule::invalid_free,
                 fmt::format("frees {:#x}, which is {}, from {}", address, kind(piece.origin), from),
                 fmt::format("{} gives back {}.", freeing(piece.origin), kind(piece.origin)));
        return;
    }
    tell(Rule::invalid_free, fmt::format("frees {:#x}, where no allocation of CUDA begins", address),
         "Free with CUDA what CUDA allocated, and with free or delete what they did.");
}

void HostMemory::bad_copy(const void* pointer, std::size_t bytes, bool writes) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t address = number(pointer);
    const SourcePlace here = place(host_callers());
    const std::string access = fmt::format("{} {} at {:#x}", writes ? "writes" : "reads", bytes_text(bytes), address);
    if (const auto* const freed = holding(freed_, address)) {
        const Piece& piece = freed->second;
        tell(Rule::use_after_free,
             fmt::format("the host's call {}, in {} of {}, allocated in {}, that were freed in {}", access,
                         bytes_text(piece.bytes), kind(piece.origin), line_text(place(piece.allocated), here),
                         line_text(place(piece.freed), here)),
             "Copy before the memory is freed.");
        return;
    }
    if (const auto* const live = holding(live_, address)) {
        const auto& [base, piece] = *live;
        const std::size_t room = piece.bytes - (address - base);
        if (bytes <= room) return;
        tell(Rule::out_of_bounds,
             fmt::format("the host's call {}, {} more than are left of {} of {}, allocated in {}", access,
                         bytes_text(bytes - room), bytes_text(piece.bytes), kind(piece.origin),
                         line_text(place(piece.allocated), here)),
             "Copy or fill no more bytes than the allocation has; sizes are in bytes, not in elements.");
    }
}

void HostMemory::bad_symbol(const void* symbol, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    tell(Rule::out_of_bounds,
         fmt::format(
             "the host's call writes {} to the symbol at {:#x}, which is no variable of the device: since CUDA 5 a "
             "string names none",
             bytes_text(bytes), number(symbol)),
         "Give the variable itself, cudaMemcpyToSymbol(variable, …), and look at what the call returns.");
}

std::vector<Finding> HostMemory::leaks() {
    struct Leak {
        SourcePlace place;
        Origin origin;
        std::size_t pieces = 0, bytes = 0;
    };
    const std::lock_guard lock(mutex_);
    std::map<std::tuple<std::string, int, int, Origin>, Leak> all;
    for (const auto& [base, piece] : live_) {
        if (!is_owed(piece.origin) || piece.allocated.empty()) continue;
        const SourcePlace from = place(piece.allocated);
        Leak& leak = all[{from.file, from.line, from.column, piece.origin}];
        leak.place = from;
        leak.origin = piece.origin;
        ++leak.pieces;
        leak.bytes += piece.bytes;
    }
    std::vector<Finding> findings;
    for (const auto& [key, leak] : all)
        findings.push_back({.rule = Rule::leak,
                            .severity = Severity::error,
                            .place = leak.place,
                            .evidence = fmt::format("never freed: {} of {} in {} allocation{}", bytes_text(leak.bytes),
                                                    kind(leak.origin), leak.pieces, leak.pieces == 1 ? "" : "s"),
                            .remedy = fmt::format("Free it with {} when its last use has ended.", freeing(leak.origin)),
                            .weight = 1,
                            .other = {}});
    return findings;
}

}  // namespace lanework

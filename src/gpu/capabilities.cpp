// The published limits of each compute capability.
//
// Sources, read together and without contradiction:
// - CUDA C++ Programming Guide 13, tables "Technical Specifications per Compute Capability" (warps, blocks, registers,
//   shared memory) and "Arithmetic Instructions" (FP32 results per clock and SM, which are its FP32 cores).
// - cuda_occupancy.h 12.1 of CUDA 13.0 (granules, partitions, barriers).
// - The tuning guides of Turing, Ampere, Ada, Hopper and Blackwell, sections "Occupancy" and "Unified Shared Memory":
//   sizes of shared memory, 1 KiB of it for the system in every block since 8.0.
#include "src/gpu/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <lanework/error.hpp>
#include <string>
#include <vector>

namespace lanework {
namespace {

constexpr int kKibi = 1024;
constexpr int kTuring[] = {32 * kKibi, 64 * kKibi};
constexpr int kSmall[] = {0, 8 * kKibi, 16 * kKibi, 32 * kKibi, 64 * kKibi, 100 * kKibi};
constexpr int kAmpere[] = {0, 8 * kKibi, 16 * kKibi, 32 * kKibi, 64 * kKibi, 100 * kKibi, 132 * kKibi, 164 * kKibi};
constexpr int kHopper[] = {0,           8 * kKibi,   16 * kKibi,  32 * kKibi,  64 * kKibi,
                           100 * kKibi, 132 * kKibi, 164 * kKibi, 196 * kKibi, 228 * kKibi};

// What differs; the rest is the same for all and stands in the struct.
constexpr Capability capability(int number, std::string_view family, std::string_view example, int warps, int blocks,
                                std::span<const int> partitions, int fp32_cores, int barriers) {
    const int shared = partitions.back();
    const int reserved = number < 80 ? 0 : kKibi;
    return {.number = number,
            .family = family,
            .warps_per_sm = warps,
            .blocks_per_sm = blocks,
            .shared_per_sm = shared,
            .shared_per_block = shared - reserved,
            .shared_reserved = reserved,
            .shared_granule = number < 80 ? 256 : 128,
            .shared_partitions = partitions,
            .fp32_cores = fp32_cores,
            .barriers_per_sm = barriers,
            .example = example};
}

constexpr Capability kCapabilities[] = {
    capability(75, "Turing", "T4", 32, 16, kTuring, 64, 0),
    capability(80, "Ampere", "A100", 64, 32, kAmpere, 64, 0),
    capability(86, "Ampere", "RTX 3090", 48, 16, kSmall, 128, 0),
    capability(87, "Ampere", "Jetson Orin", 48, 16, kAmpere, 128, 0),
    capability(89, "Ada", "RTX 4090", 48, 24, kSmall, 128, 0),
    capability(90, "Hopper", "H200", 64, 32, kHopper, 128, 64),
    capability(100, "Blackwell", "B200", 64, 32, kHopper, 128, 64),
    capability(103, "Blackwell", "B300", 64, 32, kHopper, 128, 64),
    capability(110, "Blackwell", "Jetson Thor", 48, 24, kHopper, 128, 24),
    capability(120, "Blackwell", "RTX 5090", 48, 24, kSmall, 128, 24),
    capability(121, "Blackwell", "DGX Spark", 48, 24, kSmall, 128, 24),
};

// "sm_90a" → 90, "9.0" → 90; -1 for what is neither.
int parse_number(std::string_view text) {
    for (const std::string_view prefix : {"sm_", "compute_"})
        if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    std::string digits;
    const auto point = text.find('.');
    if (point != text.npos && text.size() != point + 2) return -1;
    for (const char c : text)
        if (c != '.' || digits.empty()) digits += c;
    if (point == text.npos && (digits.ends_with('a') || digits.ends_with('f'))) digits.pop_back();
    int number = -1;
    const char* end = digits.data() + digits.size();
    const auto [stopped, error] = std::from_chars(digits.data(), end, number);
    return error == std::errc() && stopped == end ? number : -1;
}

}  // namespace

std::span<const Capability> capabilities() { return kCapabilities; }

const Capability* find_capability(int number) {
    const auto found = std::ranges::find(kCapabilities, number, &Capability::number);
    return found == std::end(kCapabilities) ? nullptr : found;
}

int cores_per_sm(int number) {
    if (const Capability* known = find_capability(number)) return known->fp32_cores;
    switch (number) {  // Maxwell, Pascal, Volta
        case 60:
        case 70:
        case 72: return 64;
        case 50:
        case 52:
        case 53:
        case 61:
        case 62: return 128;
        default: return 0;
    }
}

const Capability& parse_capability(std::string_view text) {
    if (const Capability* found = find_capability(parse_number(text))) return *found;
    std::vector<std::string> known;
    for (const Capability& each : kCapabilities)
        known.push_back(fmt::format("{}.{}", each.number / 10, each.number % 10));
    throw UsageError(
        fmt::format("`{}` is not a compute capability that is known here: write 9.0, 90 or sm_90 for one of {}", text,
                    fmt::join(known, ", ")));
}

}  // namespace lanework

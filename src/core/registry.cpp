// Finding operations and rungs by name in the generated lists.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>
#include <map>
#include <numeric>
#include <utility>

#include "src/core/own_ladders.hpp"
#include "src/core/printable.hpp"
#include "src/core/registry_data.hpp"

namespace lanework {
namespace {

// From so many letters on, a part of a name stands for it.
constexpr std::size_t kPartOfName = 3;

// More arrays than any operation has.
constexpr std::size_t kMostBuffers = 16;

char lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Letters to insert, drop, replace or swap with their neighbour (optimal string alignment), one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1), above(b.size() + 1), two_above;
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_above = std::exchange(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped =
                i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
        }
    }
    return row.back();
}

// "; did you mean `reduce`?" or the whole list when no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates) {
    if (const auto near = nearest_name(word, candidates); !near.empty())
        return fmt::format("; did you mean `{}`?", near);
    return fmt::format("; there are: {}", fmt::join(candidates, ", "));
}

std::vector<std::string_view> names(std::span<const Rung* const> list) {
    std::vector<std::string_view> result;
    for (const Rung* rung : list) result.push_back(rung->name);
    return result;
}

// Appends every rung that climbs from `below`, and what climbs from those, foot first.
void append_climbers(std::string_view below, const std::vector<const Rung*>& all, std::vector<const Rung*>& ladder) {
    for (const Rung* rung : all) {
        if (rung->library || rung->climbs_from != below) continue;
        if (std::find(ladder.begin(), ladder.end(), rung) != ladder.end()) continue;
        ladder.push_back(rung);
        append_climbers(rung->name, all, ladder);
    }
}

/// The rungs of operations that are no part of this build.
std::map<const Operation*, std::vector<const Rung*>>& adopted() {
    static auto& all = *new std::map<const Operation*, std::vector<const Rung*>>;
    return all;
}

std::map<const Operation*, OwnComparison>& adopted_comparisons() {
    static auto& all = *new std::map<const Operation*, OwnComparison>;
    return all;
}

std::map<const Rung*, OwnDevice>& adopted_devices() {
    static auto& all = *new std::map<const Rung*, OwnDevice>;
    return all;
}

}  // namespace

void adopt_rung(const Operation& operation, const Rung& rung) { adopted()[&operation].push_back(&rung); }

void adopt_device(const Rung& rung, OwnDevice device) { adopted_devices()[&rung] = device; }

Device& device_of(const Rung& rung, Device& given) {
    const auto found = adopted_devices().find(&rung);
    return found == adopted_devices().end() ? given : found->second(rung.entry, given);
}

void adopt_comparison(const Operation& operation, OwnComparison comparison) {
    adopted_comparisons()[&operation] = comparison;
}

OwnComparison own_comparison(const Operation& operation) {
    const auto found = adopted_comparisons().find(&operation);
    return found == adopted_comparisons().end() ? nullptr : found->second;
}

std::span<const Operation* const> operations() { return generated::operations; }
std::span<const Rung* const> rungs() { return generated::rungs; }

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;  // one letter in three may be wrong
    for (const std::string_view candidate : candidates)
        if (const std::size_t distance = edit_distance(word, candidate); distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    if (!best.empty() || word.size() < kPartOfName) return best;
    for (const std::string_view candidate : candidates)  // a name that was not typed to its end
        if (candidate.find(word) != std::string_view::npos && (best.empty() || candidate.size() < best.size()))
            best = candidate;
    return best;
}

const Operation& find_operation(std::string_view name) {
    for (const Operation* operation : operations())
        if (operation->name == name) return *operation;
    if (std::ranges::find(generated::left_out, name) != generated::left_out.end())
        throw UnavailableError(fmt::format("this build leaves out {}; `make` builds every operation", name));
    std::vector<std::string_view> candidates(generated::left_out.begin(), generated::left_out.end());
    for (const Operation* operation : operations()) candidates.push_back(operation->name);
    throw UsageError(fmt::format("there is no operation `{}`{}", printable(name), suggestion(name, candidates)));
}

std::span<const std::string_view> operations_left_out() { return generated::left_out; }

void require_ladder(const Operation& operation, std::span<const DeviceKind> kinds) {
    const bool all = adopted().contains(&operation) ||
                     std::ranges::find(generated::without_kernels, operation.name) == generated::without_kernels.end();
    if (all || kinds.empty() || std::ranges::find(kinds, DeviceKind::cpu) != kinds.end()) return;
    std::vector<std::string_view> names;
    for (const DeviceKind kind : kinds) names.push_back(name_of(kind));
    throw UnavailableError(fmt::format("this build leaves out the rungs of {} for {}; `make` builds all of them",
                                       operation.name, fmt::join(names, " and ")));
}

std::vector<const Rung*> ladder(const Operation& operation, DeviceKind device) {
    std::vector<const Rung*> all;
    const auto own = adopted().find(&operation);
    for (const Rung* rung : own != adopted().end() ? std::span<const Rung* const>(own->second) : rungs())
        if (rung->operation == operation.name && rung->device == device) all.push_back(rung);
    std::vector<const Rung*> result;
    append_climbers("", all, result);
    for (const Rung* rung : all)  // a rung whose foot is missing, then the libraries
        if (!rung->library && std::find(result.begin(), result.end(), rung) == result.end()) result.push_back(rung);
    for (const Rung* rung : all)
        if (rung->library) result.push_back(rung);
    return result;
}

const Rung& find_rung(const Operation& operation, std::string_view name, DeviceKind device) {
    require_ladder(operation, std::span(&device, 1));
    const auto all = ladder(operation, device);
    for (const Rung* rung : all)
        if (rung->name == name) return *rung;
    if (all.empty()) throw UsageError(fmt::format("{} has no rungs on {}", operation.name, name_of(device)));
    throw UsageError(fmt::format("{} has no rung `{}` on {}{}", operation.name, printable(name), name_of(device),
                                 suggestion(name, names(all))));
}

std::string refusal(const Rung& rung, const Problem& problem) {
    if (!rung.typed(problem.dtype)) {
        std::vector<std::string_view> types;
        for (const DType dtype : kDTypes)
            if (rung.typed(dtype)) types.push_back(name_of(dtype));
        return fmt::format("computes {} only, not {}", fmt::join(types, ", "), name_of(problem.dtype));
    }
    if (rung.refuses)
        if (const std::string_view reason = rung.refuses(problem); !reason.empty()) return std::string(reason);
    void* anywhere[kMostBuffers] = {};  // aligned as every array is that a device gives
    if (!rung.typed(problem.dtype)->fits(rung.entry, problem, {anywhere}))
        return fmt::format("computes only {}", rung.only);
    return {};
}

const Preference* preference(const Operation& operation, const Rung& rung) {
    const auto named = std::ranges::find(operation.choice, rung.name, &Preference::rung);
    return named == operation.choice.end() ? nullptr : &*named;
}

std::vector<const Rung*> rungs_by_choice(const Operation& operation, DeviceKind device, const Problem* problem) {
    std::vector<const Rung*> all = ladder(operation, device);
    // What shows an error is no answer; arithmetic of its own is one where the operation says so.
    std::erase_if(all, [&](const Rung* rung) {
        return rung->library || (rung->deviation != 0 && !preference(operation, *rung));
    });
    std::ranges::reverse(all);
    const auto place = [&](const Rung* rung) {
        const Preference* const named = preference(operation, *rung);
        const auto last = static_cast<std::ptrdiff_t>(operation.choice.size());
        if (problem && named && named->where && !named->where(*problem)) return last + 1;
        return named ? named - operation.choice.data() : last;
    };
    std::ranges::stable_sort(all, {}, place);
    return all;
}

const Rung& chosen_rung(const Operation& operation, DeviceKind device, const Problem& problem) {
    std::string reasons;
    for (const Rung* rung : rungs_by_choice(operation, device, &problem)) {
        const std::string reason = refusal(*rung, problem);
        if (reason.empty()) return *rung;
        reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", rung->name, reason);
    }
    throw UnavailableError(fmt::format("no rung of {} on {} computes this problem ({})", operation.name,
                                       name_of(device), reasons.empty() ? "it has none" : reasons));
}

}  // namespace lanework

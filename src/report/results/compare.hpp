// Two results files held against each other: what became faster, slower, wrong, and what is noise.
#pragma once

#include "src/report/results/results.hpp"

namespace lanework {

/// The same: within the threshold or the noise. Broken: no longer ok. Mended: ok again. Added, removed: in one only.
enum class Change { same, faster, slower, broken, mended, added, removed };
std::string_view name_of(Change change);

struct Comparison {
    /// Null where the result is in one file only.
    const Measurement* before = nullptr;
    const Measurement* after = nullptr;
    Change change = Change::same;
    /// Cold median after ÷ before: above 1 is slower; of estimates for one GPU where neither has samples; else empty.
    std::optional<double> ratio = {};
    /// The medians are further apart than both interquartile ranges together reach; estimates: they differ.
    bool beyond_noise = false;
    /// Of `after`: the median of the fastest library of its file ÷ its own; nothing for libraries, and without one.
    std::optional<double> against_library = {};
};

/// Matches by operation, rung, device, type, problem and variant, in the order of `after`, then what only `before`
/// has. The seed is no part of a problem. The results must outlive the comparisons.
std::vector<Comparison> compare(const Results& before, const Results& after, double threshold);

/// Whether any result is in both files.
bool any_matched(std::span<const Comparison> comparisons);
/// Whether any is slower or broken.
bool regressed(std::span<const Comparison> comparisons);

Table comparison_table(std::span<const Comparison> comparisons);
std::string comparisons_to_json(std::span<const Comparison> comparisons, double threshold);
/// "6 results compared: 5 same, 1 slower".
std::string count_changes(std::span<const Comparison> comparisons);

/// Reads "5%" or "0.05". Throws UsageError.
double parse_threshold(std::string_view text);

}  // namespace lanework

// A finding: what is wrong or slow about a kernel, where, how that is known, and what to do about it.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/trace/analyse/site.hpp"

namespace lanework {

/// What a finding is about, by the names of rules.def.
enum class Rule : std::uint8_t {
#define LANEWORK_HAZARD(name) name,
#define LANEWORK_COST(name) name,
#include "src/trace/analyse/rules.def"
};
/// As in results files and after `// finding:` in tests, by rule.
inline constexpr std::string_view kRuleNames[] = {
#define LANEWORK_HAZARD(name) #name,
#define LANEWORK_COST(name) #name,
#include "src/trace/analyse/rules.def"
};
inline constexpr std::size_t kRules = std::size(kRuleNames);
constexpr std::string_view name_of(Rule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

/// An error makes results wrong, a warning costs time, advice may.
enum class Severity : std::uint8_t { error, warning, advice };
constexpr std::string_view name_of(Severity severity) {
    constexpr std::string_view names[] = {"error", "warning", "advice"};
    return names[static_cast<int>(severity)];
}

/// Two places of one finding: of a race its accesses, else the second is none.
struct PlacePair {
    SourcePlace place, other;

    bool operator==(const PlacePair&) const = default;
};

struct Finding {
    Rule rule;
    Severity severity;
    /// "" and 0 for one about the whole kernel.
    SourcePlace place;
    /// What was seen, with figures: "loads touch 32 sectors per request, 4 would do".
    std::string evidence;
    /// What to do about it, one sentence.
    std::string remedy;
    /// The part of the kernel's cost that it accounts for, 0 … 1, for ordering; errors are 1.
    double weight = 0;
    /// The other place, of a race.
    SourcePlace other;
    /// Further places that show the same cause and that the remedy mends as well.
    std::vector<PlacePair> also = {};
    /// The kernel whose launch it is about; "" where it is about all of them.
    std::string kernel = {};
    /// Which launch of the explanation it was found in, from 0.
    std::size_t launch = 0;
    /// What mending it would save, of `time_s`, by the model of time; none where that was not asked.
    std::optional<double> gain = {};
    /// The time now and without it, in seconds; 0 where there is no gain.
    double time_s = 0, time_without_s = 0;
    /// That time is the one of all work in streams, with copies and waits; else of the kernels alone.
    bool of_streams = false;

    bool error() const { return severity == Severity::error; }
    /// Whether it, or a further place's access, is in this line. `file` may have more in front than the places'.
    bool is_at(std::string_view file, int line) const;
};

/// Adds a finding of another run, or of a later time, to those that are known: where it has a cause that one of them
/// has, its places are added to that one's.
void add_finding(std::vector<Finding>& known, Finding finding);
/// "lines 12 and 14, 12 and 15": the further places; "" where there are none. Those in the finding's own file by their
/// lines alone.
std::string further_places(const Finding& finding);

}  // namespace lanework

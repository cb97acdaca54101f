// Nsight Compute's metrics that we have figures for: their names, what we compute them from, and how far to trust it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "src/gpu/capabilities.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/gpu/occupancy.hpp"
#include "src/trace/analyse/explanation.hpp"
#include "src/trace/analyse/warp_states.hpp"

namespace lanework {

/// How far a figure of ours may be taken for the hardware's.
enum class Trust : std::uint8_t {
    exact,        ///< it is the hardware's, to the last count
    as_written,   ///< the source's: the hardware's where the compiler joined, dropped and moved no access
    modelled,     ///< near it, or of the same trend: the reason says what may differ
    unavailable,  ///< only hardware can tell
};
constexpr std::string_view name_of(Trust trust) {
    constexpr std::string_view names[] = {"exact", "as written", "modelled", "unavailable"};
    return names[static_cast<int>(trust)];
}

/// What the metrics of one launch are computed from.
struct MetricInputs {
    KernelCounters counters;
    LaunchShape shape;
    /// Bytes, as in KernelTrace.
    std::uint64_t footprint_read = 0, footprint_written = 0;
    /// The counters are those of the machine code; else of the source.
    bool of_machine_code = false;
    /// Executed with the predicate true, summed over the lanes; of machine code only.
    std::uint64_t lanes_on = 0;
    /// The code asks again and again for what other threads write.
    bool waits = false;
    /// It left results that are rounded otherwise than the source's, and a GPU's rounding may decide what it does.
    bool rounded = false;
    /// What earlier launches left, and a GPU may hold otherwise, decides what it does.
    bool doubtful = false;
    /// Its threads access words in no order, and who comes first decides what they find there.
    bool unordered = false;
    /// Where it waits, is rounded or doubtful: counters of runs in which threads came in another order and functions
    /// were rounded otherwise. What they all have alike depends on neither.
    std::span<const KernelCounters> varied = {};
    /// Of the accesses alone that are where atomic operations say.
    KernelCounters drawn = {};
    /// Of those that are where memory says that a GPU may hold something else in.
    KernelCounters doubtful_places = {};
    /// What the code may count at all, as `countable` says; none where that is not known.
    std::optional<KernelCounters> countable = {};
    /// It copies from global to shared memory past the registers.
    bool copies = false;
    /// Its threads print.
    bool prints = false;
    /// A part of a warp's lanes loads 8 or 16 bytes of shared memory each, and which ones are served together is not
    /// known.
    bool wide_parts = false;
    /// Words of 8 bytes of shared memory are swapped.
    bool wide_atomics = false;
    /// What the kernel asks of an SM and what the SM has; none where this build does not know the kernel's registers.
    std::optional<KernelResources> resources = {};
    const Capability* capability = nullptr;
    /// By the model of time, where somebody asked it.
    std::optional<WarpStates> warps = {};
};

inline constexpr std::string_view kBlocksMetric = "launch__grid_size";
inline constexpr std::string_view kRegistersMetric = "launch__registers_per_thread";

struct Metric {
    /// Nsight Compute's.
    std::string_view name;
    std::string_view label;
    /// Nsight Compute's base unit; empty for a plain number.
    std::string_view unit;
    /// Nothing where the inputs do not say; null where the metric is unavailable.
    std::optional<double> (*compute)(const MetricInputs&);
    /// Of the source's figure.
    Trust trust;
    /// One sentence; empty when exact.
    std::string_view reason;
    /// Of the machine code's figure, and why it is not exact.
    Trust with_code;
    std::string_view reason_with_code = {};
    /// Where memory is accessed matters, and not only how often.
    bool hangs_on_places = false;
    /// Why the machine code's figure is not exact for these inputs; empty where it is. Null: it always is.
    std::string_view (*excuse)(const MetricInputs&) = nullptr;

    Trust trust_of(const MetricInputs& inputs) const;
    std::string_view reason_of(const MetricInputs& inputs) const;
};

/// In the order of reports.
std::span<const Metric> metrics();
/// Null when there is none of this name.
const Metric* find_metric(std::string_view name);

/// The inputs of one launch of an explanation on a GPU of this compute capability.
MetricInputs metric_inputs(const Explanation& explanation, const KernelTrace& launch, const Capability& capability);

/// What ptxas said of the launch's kernel: among its instances the one for the problem's type; null when it cannot be
/// told which was launched, or this build has no records.
const KernelRecord* find_record(const Explanation& explanation, const LaunchShape& shape, int capability);

/// What a launch asks of an SM when its kernel needs that many registers.
KernelResources resources_of(const LaunchShape& shape, int registers_per_thread);

/// How far a metric's figures of several launches may be trusted: as the least of them.
Trust trust_of(const Metric& metric, std::span<const MetricInputs> inputs);

/// The value, or nothing where it is unavailable or the inputs do not say.
std::optional<double> predicted(const Metric& metric, const MetricInputs& inputs);

}  // namespace lanework

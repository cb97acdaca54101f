// What `lanework occupancy` shows: what a multiprocessor (SM) holds of a kernel, why not more, and what would help.
#pragma once

#include <optional>

#include "src/draw/style.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/gpu/occupancy.hpp"

namespace lanework {

/// A kernel and what it asks for.
struct OccupancyCase {
    /// Its name; empty when it was described by its figures alone.
    std::string kernel;
    KernelResources resources;
    /// What the compiler said of it, where that is known.
    std::optional<KernelRecord> record;
};

struct OccupancyReport {
    Capability sm;
    /// "transpose/padded_tile", or empty.
    std::string rung;
    /// At least one.
    std::vector<OccupancyCase> cases;
    /// Whether the block size is known. If not, resources.threads_per_block says nothing, and only the curve is shown.
    bool sized = true;
};

/// The case that keeps fewest warps on an SM at its block size; without one, the case with most registers.
const OccupancyCase& tightest(const OccupancyReport& report);

/// What would be better, in whole sentences; nothing where all is well.
std::vector<std::string> occupancy_advice(const Capability& sm, const OccupancyCase& kernel);

/// The occupancy over the block sizes in characters: a column for each whole number of warps. `threads` is marked
/// unless it is 0.
std::string draw_curve(const Capability& sm, const KernelResources& kernel, int threads, const Style& style);
/// The same as a picture, each bar in the colour of what limits it.
std::string occupancy_to_svg(const OccupancyReport& report);

std::string draw(const OccupancyReport& report, const Style& style);
/// {"schema":1,"capability":90,"rung","occupancy":[{"kernel","resources":{…},"blocks_per_sm",…,"curve":[…]}]}
std::string occupancy_to_json(const OccupancyReport& report);

}  // namespace lanework

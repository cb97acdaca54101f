// lanework profile --timeline: what a rung's streams did over time.
#pragma once

#include "src/cli/exports.hpp"
#include "src/cli/selection.hpp"
#include "src/report/timeline/timeline.hpp"
#include "src/timeline/engine_speeds.hpp"

namespace lanework {

struct TimelineOptions {
    bool asked = false;
    /// What changes the GPU's published speeds, from which a modelled timeline follows: "link=55,launch=3".
    std::string speeds;
    /// "0-10": a part of the whole, in percent; empty for all of it.
    std::string zoom;
    /// A file; empty for none.
    std::string svg;

    void add(Command& command);
    /// Throws UsageError for options that only timelines have, where none is asked for.
    void check() const;
};

/// One launch of a job's rung over time. Throws as timeline_of().
RungTimeline rung_timeline(const Job& job, std::uint64_t seed, const EngineSpeeds& speeds);

/// Prints the timeline of each selected rung and returns the exit status.
int show_timelines(const SelectionOptions& selection, const TimelineOptions& options, const Exports& exports,
                   const Context& context);

}  // namespace lanework

// The estimate of a rung's time on a GPU that is not here, in words.
#pragma once

#include "src/draw/style.hpp"
#include "src/report/explain/roofline_picture.hpp"
#include "src/trace/analyse/estimate.hpp"
#include "src/trace/analyse/warp_states.hpp"

namespace lanework {

class Json;

/// "On an NVIDIA H200 SXM", "At 10000x10000 on an NVIDIA H200 SXM": the latter where the time is for a larger problem
/// than was traced.
std::string where_timed(const Explanation& explanation, const Gpu& gpu);

/// "On an NVIDIA H200 SXM: about 4.0 µs (2.0 to 8.0 µs) estimated, 44% of the limit of 1.75 µs, bound by launch".
std::string verdict(const Explanation& explanation, const Gpu& gpu);

/// "On an NVIDIA H200 SXM it takes about 68 µs (34 to 140 µs) with cold caches, bound by shared memory; …",
/// with the parts that count, longest first.
std::string draw_estimate(const Estimate& estimate, const Gpu& gpu, const Style& style);

/// "Of a warp's clocks it issues in 4%, could in 1% more and is stalled in 95%: 80% global or local memory
/// (long_scoreboard), …", those of a half percent and more, most first.
std::string describe_warp_states(const WarpStates& states);

/// The estimate as results files hold it, with what decides it. The explanation has a launch.
EstimatedTime estimated_time(const Explanation& explanation, const Gpu& gpu);

/// {"time_s", "page_faults_s", "bound", "trust", "warp_states"} of one launch by itself, as Nsight Compute times it:
/// with its wait for pages.
Json launch_time_json(const Demand& demand, const Gpu& gpu);

/// The rung below the roofs of the GPU's published figures.
RooflineChart roofline_of(const Explanation& explanation, const Estimate& estimate, const Gpu& gpu);

}  // namespace lanework

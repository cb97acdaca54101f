// Everything that `lanework explain` shows of one rung or one program: findings, source, counters, the estimate, the
// occupancy; and all of its pictures.
#pragma once

#include "src/draw/style.hpp"
#include "src/gpu/gpus.hpp"
#include "src/report/explain/explanation_pictures.hpp"
#include "src/report/explain/source_text.hpp"

namespace lanework {

std::string draw_whole(const Explanation& explanation, const Gpu& gpu, SourceText& sources, const Style& style);

/// A line for each rung: the estimate, its share of the limit, and the top finding.
std::string draw_ladder(std::span<const Explanation> explanations, const Gpu& gpu, const Style& style);

/// Sector maps and banks of the findings, the occupancy curve, and the roofline where operations are known.
std::vector<Picture> all_pictures(const Explanation& explanation, const Gpu& gpu);

}  // namespace lanework

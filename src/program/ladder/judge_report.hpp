// A judgement for people and for programs.
#pragma once

#include <string>

#include "src/program/ladder/judge.hpp"
#include "src/report/results/results.hpp"

namespace lanework {

/// The verdict in one line, and where it showed; how sure it is.
std::string draw_judgement(const Judgement& judgement, const std::string& title);
/// {"schema":1,"environment","operation","rung","verdict","fault","reason","where","first_difference","counters",
/// "findings","estimate","certainty","cell","seconds"}.
std::string judgement_to_json(const Judgement& judgement, const std::string& operation, const std::string& file,
                              std::span<const Fact> environment);

}  // namespace lanework

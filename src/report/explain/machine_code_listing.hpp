// The machine code of an explained launch with what each instruction did, and the source lines that it comes from.
#pragma once

#include <string>

#include "src/draw/style.hpp"
#include "src/report/explain/source_text.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {

/// Each launch's kernel in the order of its code: a heading for each source line, then its instructions with how often
/// warps executed them, with how many lanes, and what its accesses cost. A kernel that was launched several times comes
/// once, added up. Then the lines whose accesses the compiler left no instruction of.
std::string draw_machine_code(const Explanation& explanation, SourceText& sources, const Style& style);

}  // namespace lanework

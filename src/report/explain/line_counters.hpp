// Counters by line of the source: what reports write beside it. Launches of a rung are added up.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/trace/analyse/explanation.hpp"

namespace lanework {

/// Accesses of one kind at one line.
struct LineAccess {
    EventKind kind = EventKind::load;
    Space space = Space::global;
    GlobalCounters global;
    SharedCounters shared;
    ConstantCounters constant;
    LocalCounters local;

    std::uint64_t requests() const;
    std::uint64_t lanes() const;
    /// Sectors, wavefronts or addresses of all requests, and the least that would do; 0 where that has no meaning.
    std::uint64_t cost() const;
    std::uint64_t ideal() const;
    /// "sectors", "wavefronts", "addresses"; empty where cost has no meaning.
    std::string_view unit() const;
    /// "ld global", "st shared", "atom global", "red global".
    std::string name() const;
};

struct LineCounters {
    std::string file;
    int line = 0;
    std::string function;
    /// In the order of kind and space.
    std::vector<LineAccess> accesses;
    BranchCounters branch;
};

/// Lines that access memory, whose branches diverge or that a finding names: those of `first_file`, then of other
/// files; by number, code of which no line is known last.
std::vector<LineCounters> lines_of(std::span<const KernelTrace> kernels, const std::string& first_file,
                                   std::span<const Finding> findings = {});

/// "4", "2.25", "31.9": at most two decimals, and none that say nothing.
std::string format_ratio(double ratio);

}  // namespace lanework

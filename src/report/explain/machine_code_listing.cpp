// Columns of counts, then the instruction; the source's lines stand between.
#include "src/report/explain/machine_code_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "src/core/text.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/gpu/sass/instructions.hpp"
#include "src/report/explain/explanation_metrics.hpp"
#include "src/report/explain/line_counters.hpp"

namespace lanework {
namespace {

/// Launches of one kernel, added up.
struct ListedKernel {
    const MachineTrace* first = nullptr;
    std::size_t launches = 0;
    std::vector<MachineCount> counts;
    std::map<std::uint32_t, Site> sites;

    void add(const MachineTrace& trace) {
        if (!first) {
            first = &trace;
            counts.resize(trace.counts.size());
        }
        ++launches;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            counts[i].executed += trace.counts[i].executed;
            counts[i].lanes += trace.counts[i].lanes;
            counts[i].lanes_on += trace.counts[i].lanes_on;
            counts[i].divergent += trace.counts[i].divergent;
        }
        for (const MachineSite& each : trace.sites) {
            const auto [at, added] = sites.try_emplace(each.instruction, each.site);
            if (added) continue;
            at->second.global.add(each.site.global);
            at->second.shared.add(each.site.shared);
            at->second.local.add(each.site.local);
        }
    }
};

// "4 sectors", "1.5 wavefronts": of each request.
std::string cost_of(const Site& site) {
    if (site.space == Space::global) return format_ratio(per(site.global.sectors, site.global.requests)) + " sectors";
    if (site.space == Space::shared)
        return format_ratio(per(site.shared.wavefronts, site.shared.requests)) + " wavefronts";
    return "local";
}

// "in 3 of 10 the lanes part": of branches.
std::string note_on(const ListedKernel& listed, std::size_t index) {
    const MachineInstruction& instruction = listed.first->kernel->instructions[index];
    if (const auto site = listed.sites.find(static_cast<std::uint32_t>(index)); site != listed.sites.end())
        return cost_of(site->second);
    if (is_branch(instruction) && listed.counts[index].divergent != 0)
        return fmt::format("{} part", listed.counts[index].divergent);
    return instruction.spill ? "spill" : "";
}

constexpr std::size_t kExecuted = 11, kLanesOn = 6, kNote = 18;

std::string draw_instruction(const ListedKernel& listed, std::size_t index, const Style& style) {
    const MachineCount& count = listed.counts[index];
    const MachineInstruction& instruction = listed.first->kernel->instructions[index];
    const std::string lanes = count.executed == 0 ? "" : format_ratio(per(count.lanes_on, count.executed));
    const std::string columns = pad_left(count.executed == 0 ? "–" : fmt::format("{}", count.executed), kExecuted) +
                                pad_left(lanes, kLanesOn + 1) + "  " + pad_right(note_on(listed, index), kNote);
    return paint(style, count.executed == 0 ? Ink::dim : Ink::plain, columns) +
           fmt::format(" {:04x}  {}\n", instruction.address, instruction.text());
}

std::string draw_kernel(const ListedKernel& listed, SourceText& sources, const Style& style) {
    const MachineKernel& kernel = *listed.first->kernel;
    std::uint64_t executed = 0, spills = 0;
    for (std::size_t i = 0; i < listed.counts.size(); ++i) {
        executed += listed.counts[i].executed;
        spills += kernel.instructions[i].spill;
    }
    std::string text = fmt::format("\n{} of {} for {}: {} instructions, {} registers{}{}; {} executed by warps{}\n",
                                   paint(style, Ink::bold, "Machine code"), kernel_name(kernel.symbol), kernel.target,
                                   kernel.instructions.size(), kernel.registers,
                                   kernel.stack_bytes ? fmt::format(", {} B of stack", kernel.stack_bytes) : "",
                                   spills ? fmt::format(", {} spills", spills) : "", executed,
                                   listed.launches == 1 ? "" : fmt::format(" in {} launches", listed.launches));
    text += paint(style, Ink::dim,
                  pad_left("executed", kExecuted) + pad_left("lanes", kLanesOn + 1) + "  " +
                      pad_right("a request", kNote)) +
            "\n";
    const SourcePlace* last = nullptr;
    for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
        const SourcePlace& place = listed.first->places[kernel.instructions[i].place];
        if (!last || !(*last == place)) {
            const std::string line = sources.line(place.file, place.line).value_or("");
            const auto begin = std::min(line.find_first_not_of(" \t"), line.size());
            text += place.line == 0 ? paint(style, Ink::dim, "code of which no line is known") + "\n"
                                    : paint(style, Ink::bold, fmt::format("{}:{}", place.file, place.line)) + "  " +
                                          line.substr(begin) + "\n";
            last = &place;
        }
        text += draw_instruction(listed, i, style);
    }
    return text;
}

// Lines that access memory as they are written, and have no instruction that does.
std::string draw_lines_without_code(const Explanation& explanation, SourceText& sources, const Style& style) {
    std::set<std::pair<std::string, int>> with_code;
    for (const KernelTrace& kernel : explanation.kernels) {
        if (!kernel.machine || !kernel.machine->known()) return {};
        const MachineKernel& code = *kernel.machine->kernel;
        for (const MachineInstruction& instruction : code.instructions) {
            const SourcePlace& place = kernel.machine->places[instruction.place];
            if (pipe_of(instruction) == Pipe::memory) with_code.emplace(place.file, place.line);
        }
    }
    std::string text;
    for (const LineCounters& line : lines_of(explanation.kernels, explanation.file)) {
        const bool accesses = std::ranges::any_of(line.accesses, [](const LineAccess& access) {
            return access.space == Space::global || access.space == Space::shared;
        });
        if (!accesses || line.line == 0 || with_code.contains({line.file, line.line})) continue;
        const std::string source = sources.line(line.file, line.line).value_or("");
        text += fmt::format("{}:{}  {}\n", line.file, line.line,
                            source.substr(std::min(source.find_first_not_of(" \t"), source.size())));
    }
    if (text.empty()) return text;
    return "\n" +
           paint(style, Ink::bold,
                 "Lines whose accesses have no instruction of their own (joined with others, or kept in registers)") +
           "\n" + text;
}

}  // namespace

std::string draw_machine_code(const Explanation& explanation, SourceText& sources, const Style& style) {
    std::vector<ListedKernel> kernels;
    for (const KernelTrace& launch : explanation.kernels) {
        if (!launch.machine || !launch.machine->known()) continue;
        const auto found = std::ranges::find_if(kernels, [&](const ListedKernel& listed) {
            return listed.first->kernel->symbol == launch.machine->kernel->symbol;
        });
        (found == kernels.end() ? kernels.emplace_back() : *found).add(*launch.machine);
    }
    std::string text;
    for (const ListedKernel& kernel : kernels) text += draw_kernel(kernel, sources, style);
    for (const std::string& reason : list_not_followed(explanation))
        text += "\n" + paint(style, Ink::bold, "Machine code that was not followed") + ": " + reason + "\n";
    return text + draw_lines_without_code(explanation, sources, style);
}

}  // namespace lanework

// What the machine code of a launch did, instruction by instruction, and the sums. Plain data for reports.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/gpu/sass/execution.hpp"
#include "src/trace/analyse/counters.hpp"
#include "src/trace/analyse/site.hpp"

namespace lanework {

/// An instruction that accesses memory, with its counters.
struct MachineSite {
    /// Index into the kernel's instructions.
    std::uint32_t instruction = 0;
    Site site;
};

struct MachineTrace {
    /// Why nothing is known, in one sentence; empty where the code ran and left memory as the traced kernel did.
    std::string reason;
    /// It was executed to its end, whatever it left in memory.
    bool followed = false;
    std::shared_ptr<const MachineKernel> kernel;
    /// By place of the kernel: the line of its author's that it belongs to.
    std::vector<SourcePlace> places;
    /// By instruction.
    std::vector<MachineCount> counts;
    /// Instructions of the warp that executed most.
    std::uint64_t longest_warp = 0;
    /// In the order of the instructions.
    std::vector<MachineSite> sites;
    /// It asks again and again for what other threads write: how often depends on time.
    bool waits = false;
    /// Its results are the traced kernel's but for rounding, and what a GPU rounds otherwise than this processor may
    /// decide what it does.
    bool rounded = false;
    /// Memory that earlier launches left, and that a GPU may hold something else in, decides what it executes.
    bool doubtful = false;
    /// Its threads access words in no order, in which they find or leave something else where others come first. Where
    /// such a word decides what it executes it is doubtful, too.
    bool unordered = false;
    /// Where it waits, is rounded or doubtful: the sums of runs in which threads came in another order and functions
    /// were rounded otherwise. What is the same in all of them does not depend on either; none where that was not
    /// tried.
    std::vector<KernelCounters> varied;
    /// By instruction: atomic operations say where it accesses memory, and so the order of threads does.
    std::vector<bool> drawn;
    /// It copies from global to shared memory past the registers (LDGSTS).
    bool copies = false;
    /// Its threads print: what the driver's function does for that is not counted.
    bool prints = false;

    bool known() const { return reason.empty() && kernel; }
};

/// The sums, as those of a traced kernel. Branches are the instructions that branch.
KernelCounters sum(const MachineTrace& trace);
/// Of the accesses alone that are where atomic operations say.
KernelCounters sum_of_drawn(const MachineTrace& trace);
/// Of the accesses alone that are where memory says that earlier launches left, and that a GPU may hold something else
/// in.
KernelCounters sum_of_doubtful(const MachineTrace& trace);
/// Something for all that instructions of the kernel's code count where they are executed, and 0 for what none of them
/// does.
KernelCounters countable(const MachineKernel& kernel);

}  // namespace lanework

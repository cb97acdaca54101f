// Executes machine code on a copy of memory and counts its accesses by the rules of traced ones: sectors, banks.
#pragma once

#include <vector>

#include "src/trace/analyse/machine_counters.hpp"
#include "src/trace/record/machine_arguments.hpp"
#include "src/trace/record/memory_snapshot.hpp"

namespace lanework {

/// Executes `trace.kernel` on `memory`, which is then as the code leaves it, and adds its counts to the trace. `stored`
/// becomes the arrays that were written to. Textures are those that `arguments` name.
MachineRun execute_into(MachineTrace& trace, const MachineLaunch& launch, const std::vector<KeptArgument>& arguments,
                        MemorySnapshot& memory, std::vector<MachineArray>* stored = nullptr);

}  // namespace lanework

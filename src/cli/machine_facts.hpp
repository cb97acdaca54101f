// What is known about the machine's driver, its GPUs and the tools around them, as facts to print.
#pragma once

#include <vector>

#include "src/machine/management.hpp"
#include "src/report/results/facts.hpp"

namespace lanework {

/// The toolkit that this build was made with ("13.0.88"), empty for none, and the code in it ("75-virtual,90").
std::string_view toolkit_of_build();
std::string_view code_of_build();

/// The driver and what it means for this build; why there is no GPU where neither it nor CUDA, which has
/// `cuda_devices`, sees one.
Section driver_section(const DriverState& driver, int cuda_devices);
/// Each GPU that the driver sees: the code it runs, its state, the permission for counters.
std::vector<Section> gpu_sections(const DriverState& driver);
/// Profilers and checkers: where they are or what to install.
Section tools_section();

}  // namespace lanework

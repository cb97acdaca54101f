// Reads what `ptxas -v` prints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// Stands for an amount that this version of ptxas does not report.
inline constexpr int kNotTold = -1;

/// A kernel of one compilation; the figures of KernelRecord.
struct PtxasKernel {
    std::string symbol;
    int capability = 0;
    int registers = 0, stack_bytes = 0, spill_store_bytes = 0, spill_load_bytes = 0, static_shared_bytes = 0;
    int constant_bytes = kNotTold, barriers = 0;
};

/// The kernels in the order in which they were compiled. Other lines are skipped.
std::vector<PtxasKernel> parse_ptxas_report(std::string_view text);

}  // namespace lanework

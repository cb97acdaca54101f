// Kernels as the compiler made them: what each takes of a multiprocessor, and its code.
#pragma once

#include <span>

#include "src/draw/table.hpp"
#include "src/gpu/kernel_code.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/report/results/facts.hpp"

namespace lanework {

/// The most threads, in whole warps, of a block that the kernel's registers and shared memory leave room for; 0 where
/// nothing is known of the architecture. __launch_bounds__ can lower it.
int largest_block(const KernelRecord& record);

/// A line for each kernel and architecture; "–" for what ptxas did not tell.
Table registers_table(std::span<const KernelRecord> records);
/// The same for programs: a section for each line, with its numbers as figures.
std::vector<Section> registers_sections(std::span<const KernelRecord> records);

/// Each kernel's name and target, one line that sums its code up, and the code, indented.
std::string draw_code(std::span<const KernelCode> kernels, CodeForm form, const Style& style);
/// The same for programs: facts `kernel`, `target`, `form`, `summary` and `code`.
std::vector<Section> code_sections(std::span<const KernelCode> kernels, CodeForm form);

}  // namespace lanework

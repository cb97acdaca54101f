// What ptxas said of the kernels of this build: registers, stack, spills, shared memory. Recorded while the rungs were
// compiled for GPUs; a build without a CUDA toolkit has none.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanework {

/// One kernel, compiled for one real architecture.
struct KernelRecord {
    std::string_view operation, rung;
    /// 90 for sm_90.
    int capability;
    /// As the linker sees it.
    std::string_view symbol;
    /// Demangled, with the template's arguments, without namespaces and parameters: "shared_tile<int>".
    std::string name;
    /// The name before template arguments and without namespaces: "shared_tile".
    std::string function;
    /// The template's arguments: "int"; empty where there are none.
    std::string arguments;
    int registers_per_thread;
    /// Bytes of each thread's stack, for arrays that are indexed at run time and for spilled registers.
    int stack_bytes;
    /// Bytes that the code of a thread stores to and loads from spilled registers (each instruction counted once).
    int spill_store_bytes, spill_load_bytes;
    int static_shared_bytes;
    /// Bytes of constant memory: __constant__ variables, constants made of literals, parameters. Negative where ptxas
    /// does not tell: CUDA 13's does not.
    int constant_bytes;
    /// Named barriers.
    int barriers;
};

/// A symbol as its source has it; one of C's as it is.
std::string demangled(const char* symbol);

/// The kernels of a rung for GPUs ("transpose", "padded_tile", 90), in the order of their file; none where the toolkit
/// was not there or did not compile for this architecture.
std::span<const KernelRecord> kernel_records(std::string_view operation, std::string_view rung, int capability);

/// A kernel's name as in KernelRecord, of its symbol.
std::string kernel_name(const std::string& symbol);

/// Whether `wanted` ("sum", "sum<int, 4>") names the kernel of this name: all of it, or all before its arguments.
bool is_kernel(std::string_view name, std::string_view wanted);

/// The architectures that this build holds records for, in increasing order.
std::span<const int> recorded_capabilities();

/// Whether a launch that is written `kernel` ("padded_tile", "sum<T, 4>", "detail::copy") can be of this record: the
/// same function and, where the launch's template arguments are plain numbers, the same numbers.
bool launches(std::string_view kernel, const KernelRecord& record);

}  // namespace lanework

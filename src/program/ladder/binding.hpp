// Arguments of a kernel or launcher, bound by name to the arrays, axes and scalars of an operation.
#pragma once

#include <lanework/rung.hpp>
#include <optional>
#include <string>
#include <vector>

#include "src/program/ladder/description.hpp"
#include "src/program/ladder/kernel_file.hpp"

namespace lanework {

/// How a kernel is launched: one to three lengths each, and bytes.
struct LaunchShapeText {
    std::string grid, block, shared;
};

/// What one parameter is given.
struct BoundParameter {
    enum class Source { array, value, stream, workspace, threads };
    Source source = Source::value;
    /// Of Description::arrays, or of the values that value_names() lists.
    std::size_t which = 0;
    std::string type;
};

/// A kernel or launcher whose every argument is known.
struct BoundFunction {
    KernelFunction function;
    /// As it is called: "softmax", "softmax<T, 4>".
    std::string spelled;
    std::vector<BoundParameter> parameters;
    /// Of a kernel.
    std::vector<Expression> grid, block;
    std::optional<Expression> shared;
    /// Bytes of scratch memory.
    std::optional<Expression> workspace;
    /// The element types that it is written for.
    std::vector<DType> types;
};

/// The axes, then the scalars.
std::vector<std::string> value_names(const Description& description);

/// Binds the function that `kernel` names (the launcher or the only kernel where it is empty). Lengths that the launch
/// does not state are those of the file's first comment. On the processor it is a function of C++, and its parameter
/// `threads` how many may work. Throws UsageError with what cannot be bound, and what there is.
BoundFunction bind_by_name(const KernelFile& file, const Description& description, const std::string& kernel,
                           const LaunchShapeText& launch, DeviceKind device = DeviceKind::simt);

/// A file that includes the rung's and calls the function, once for each type: extern "C" lanework_launch_float32(…).
/// What it calls is compiled for one kind of device: on simt the device itself keeps the error of a launch, on cuda the
/// library's own runtime does, and the launcher returns it.
std::string launcher_source(const KernelFile& file, const BoundFunction& bound, const Description& description,
                            DeviceKind device);

/// The function of that file: addresses of arrays (the last is the workspace's), values, grid and block (on the
/// processor the first is the number of threads), bytes of dynamic shared memory, the stream. Returns an error of the
/// CUDA runtime, or 0.
using Launcher = int (*)(void* const* arrays, const double* values, const unsigned* shape, unsigned long long shared,
                         void* stream);
std::string launcher_name(DType dtype);

}  // namespace lanework

// The options of info that show kernels as the compiler made them: --registers, --ptx and --sass.
#pragma once

#include <lanework/rung.hpp>

#include "src/cli/exports.hpp"

namespace lanework {

struct KernelCodeOptions {
    bool registers = false, ptx = false, sass = false;
    std::string architecture, kernel;

    void add(Command& command);
    bool any() const { return registers || ptx || sass; }
    /// Throws UsageError where only an operation was named and one of these options needs a rung.
    void check_rung_is_given(std::string_view operation) const;
};

/// Prints what was asked for of a rung that is a CUDA file; returns the exit status.
int show_kernel_code(const Rung& rung, const KernelCodeOptions& options, const Exports& exports,
                     const Context& context);

}  // namespace lanework

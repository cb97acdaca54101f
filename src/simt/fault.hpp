// Faults of kernel code: the processor's signals become CUDA errors while a grid runs.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <memory>

namespace lanework_simt::engine {

inline constexpr std::array kFaultSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/// While it lives, a fault on a kernel's thread ends the kernel; a fault elsewhere goes to the handler before it.
class FaultHandlers {
public:
    FaultHandlers();
    ~FaultHandlers();
    FaultHandlers(const FaultHandlers&) = delete;
    FaultHandlers& operator=(const FaultHandlers&) = delete;
};

/// The stack that this OS thread handles signals on; the kernel's own may be the fault. Every thread that runs grids
/// has one before it begins.
void use_signal_stack();

}  // namespace lanework_simt::engine

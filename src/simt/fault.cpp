// Turning SIGSEGV, SIGBUS, SIGFPE and SIGILL of a kernel into the end of its grid: the handler notes what happened and
// jumps to the worker, leaving the kernel's stack behind.
#include "src/simt/fault.hpp"

#include <fmt/format.h>

#include "src/simt/preemption.hpp"
#include "src/simt/worker.hpp"

namespace lanework_simt::engine {

namespace {

std::array<struct sigaction, kFaultSignals.size()> previous;

void handle(int signal, siginfo_t* info, void* state) {
    const Fiber* const fiber = context.fiber;
    if (!context.worker || !fiber) {
        // Not ours: the instruction runs again under the handler that was there before.
        for (std::size_t i = 0; i < kFaultSignals.size(); ++i) {
            if (kFaultSignals[i] == signal) sigaction(signal, &previous[i], nullptr);
        }
        return;
    }
    const auto* const address = static_cast<const std::byte*>(info->si_addr);
    const bool overflow = signal == SIGSEGV && address < fiber->low && address >= fiber->low - page_bytes();
    context.worker->set_fault({signal, address, overflow, interrupted_at(state)});
    context.worker->abandon();
}

/// Alternate signal stack of one OS thread; keeps one that is there already.
class SignalStack {
public:
    SignalStack() {
        stack_t current{};
        sigaltstack(nullptr, &current);
        if (!(current.ss_flags & SS_DISABLE)) return;
        memory_ = std::make_unique<std::byte[]>(kBytes);
        stack_t own{};
        own.ss_sp = memory_.get();
        own.ss_size = kBytes;
        sigaltstack(&own, nullptr);
    }
    ~SignalStack() {
        if (!memory_) return;
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        sigaltstack(&none, nullptr);
    }
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

private:
    static constexpr std::size_t kBytes = 64 * 1024;
    std::unique_ptr<std::byte[]> memory_;
};

}  // namespace

FaultHandlers::FaultHandlers() {
    struct sigaction ours {};
    ours.sa_sigaction = handle;
    // SA_NODEFER: the handler does not return, and the next fault must be delivered too.
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    for (std::size_t i = 0; i < kFaultSignals.size(); ++i) sigaction(kFaultSignals[i], &ours, &previous[i]);
}

FaultHandlers::~FaultHandlers() {
    for (std::size_t i = 0; i < kFaultSignals.size(); ++i) sigaction(kFaultSignals[i], &previous[i], nullptr);
}

void use_signal_stack() { thread_local const SignalStack stack; }

std::string thread_text() {
    return fmt::format("thread {} of block {}", to_text(context.thread_index), to_text(context.block_index));
}

std::string describe(const Fault& fault, const std::string& who) {
    if (fault.stack_overflow) {
        return fmt::format(
            "{} overflowed its stack of {} KiB; cudaDeviceSetLimit(cudaLimitStackSize, bytes) or the "
            "variable LANEWORK_SIMT_STACK_KIB makes it larger",
            who, stack_bytes() / 1024);
    }
    switch (fault.signal) {
        case SIGFPE: return who + " divided an integer by zero (a GPU would go on with an undefined value)";
        case SIGILL: return who + " executed an illegal instruction";
        default: return fmt::format("{} accessed {}, where there is no memory", who, fault.address);
    }
}

}  // namespace lanework_simt::engine

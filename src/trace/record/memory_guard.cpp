#include "src/trace/record/memory_guard.hpp"

#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <span>
#include <utility>

#include "src/trace/record/host_calls.hpp"
#include "src/trace/record/program_memory.hpp"

namespace lanework {
namespace {

MemoryGuard* the_guard = nullptr;
struct sigaction previous;

void allow(const MemoryGuard::Range& range, int accesses) {
    mprotect(reinterpret_cast<void*>(range.begin), range.end - range.begin, accesses);
}

// On other processors nobody is told who touched what.
#ifdef __x86_64__
std::uint64_t stopped_at(const void* state) {
    return static_cast<std::uint64_t>(static_cast<const ucontext_t*>(state)->uc_mcontext.gregs[REG_RIP]);
}
bool writes(const void* state) {
    constexpr greg_t kWrite = 2;
    return (static_cast<const ucontext_t*>(state)->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
}
#else
std::uint64_t stopped_at(const void*) { return 0; }
bool writes(const void*) { return false; }
#endif

bool any_holds(std::span<const MemoryGuard::Range> ranges, std::uint64_t address) {
    return std::ranges::any_of(
        ranges, [&](const MemoryGuard::Range& range) { return range.begin <= address && address < range.end; });
}

/// Another thread has opened what the access was stopped at: it is tried again, but not for ever, if there is no
/// memory.
bool may_try_again(std::uint64_t address) {
    constexpr int kMost = 8;
    thread_local std::uint64_t last = 0;
    thread_local int times = 0;
    times = std::exchange(last, address) == address ? times + 1 : 0;
    return times < kMost;
}

/// Whether what was stopped is the program, or a library that it called, and not the device: whose code comes first
/// among the callers.
bool is_of_program(std::uint64_t stopped) {
    const AddressRange device = program_code(reinterpret_cast<std::uint64_t>(&host_callers));
    const AddressRange program = program_code(getauxval(AT_ENTRY));
    const HostCalls calls = host_callers();
    for (auto call = std::ranges::find(calls, stopped); call != calls.end(); ++call) {
        if (device.contains(*call)) return false;
        if (program.contains(*call)) return true;
    }
    return false;
}

}  // namespace

MemoryGuard::MemoryGuard(std::function<void(std::uint64_t, bool)> touched) : touched_(std::move(touched)) {
    the_guard = this;
    struct sigaction ours {};
    ours.sa_sigaction = handle;
    // SA_NODEFER: it is taken while others wait for what is told.
    ours.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGSEGV, &ours, &previous);
}

MemoryGuard::~MemoryGuard() {
    open();
    sigaction(SIGSEGV, &previous, nullptr);
    the_guard = nullptr;
}

void MemoryGuard::handle(int signal, siginfo_t* info, void* state) {
    if (the_guard && the_guard->take(reinterpret_cast<std::uint64_t>(info->si_addr), state)) return;
    // Not ours: the instruction runs again under the handler that was there before.
    sigaction(signal, &previous, nullptr);
}

bool MemoryGuard::take(std::uint64_t address, const void* state) {
    {
        const std::lock_guard lock(mutex_);
        if (!any_holds(ranges_, address)) return any_holds(opened_, address) && may_try_again(address);
    }
    open();
    if (is_of_program(stopped_at(state))) touched_(address, writes(state));
    return true;
}

void MemoryGuard::look_at_handlers() {
    struct sigaction now {};
    sigaction(SIGSEGV, nullptr, &now);
    handled_by_program_ = now.sa_sigaction != handle;
}

void MemoryGuard::guard(std::vector<Range> ranges) {
    // More pieces of the address space than a process may have would not open again.
    constexpr std::size_t kMostRanges = 1024;
    if (handled_by_program_ || ranges.size() > kMostRanges) ranges.clear();
    const std::lock_guard lock(mutex_);
    if (ranges == ranges_) return;
    for (const Range& range : ranges_) allow(range, PROT_READ | PROT_WRITE);
    if (!ranges_.empty()) opened_ = std::move(ranges_);
    ranges_ = std::move(ranges);
    for (const Range& range : ranges_) allow(range, range.readable ? PROT_READ : PROT_NONE);
}

}  // namespace lanework

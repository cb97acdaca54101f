// A timer of each OS thread that sends it SIGURG, which programs hardly use. The handler runs on the stack of the fiber
// that was interrupted and switches to another one; the fiber goes on behind it when its turn comes.
#include "src/simt/preemption.hpp"

#include <link.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "src/simt/debugging.hpp"
#include "src/simt/worker.hpp"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace lanework_simt::engine {

namespace {

constexpr long kSlice = 10'000'000, kShortSlice = 200'000;  // nanoseconds
/// Under a debugger, of the processor's time: none passes while somebody looks at a thread.
constexpr long kDebuggedTimes = 100, kSecond = 1'000'000'000;

struct sigaction previous;

/// The thread's timer, made when it is first needed.
struct Timer {
    timer_t id{};
    bool made = false;
    CodeRange range;
    long slice = 0;
    /// The short slice, or more where telling a thread of its signal takes as long (under strace, say): what is
    /// interrupted must come to do something.
    long shortest = kShortSlice;
    int late = 0;  // signals in a row

    void set(long nanoseconds) {
        slice = nanoseconds;
        const long whole = debugged ? nanoseconds * kDebuggedTimes : nanoseconds;
        const timespec span{whole / kSecond, whole % kSecond};
        const itimerspec times{span, span};
        timer_settime(id, 0, &times, nullptr);
    }
    /// So many slices passed before a signal came. Once that is since the thread had no processor.
    void came_late(int slices) {
        constexpr int kMany = 2, kOften = 16;
        late = slices > kMany ? late + 1 : 0;
        if (late < kOften) return;
        late = 0;
        shortest = std::min(shortest * 2, kSlice);
        if (slice != 0 && slice < shortest) set(shortest);
    }
    /// Nothing that is still on its way starts it again.
    void stop() {
        slice = 0;
        constexpr itimerspec kNever{};
        timer_settime(id, 0, &kNever, nullptr);
    }
    ~Timer() {
        if (made) timer_delete(id);
    }
};
thread_local Timer timer;

struct Search {
    std::uintptr_t address;
    CodeRange found;
};

int look_at_object(dl_phdr_info* object, std::size_t, void* wanted) {
    auto& search = *static_cast<Search*>(wanted);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
        const CodeRange range{object->dlpi_addr + segment.p_vaddr,
                              object->dlpi_addr + segment.p_vaddr + segment.p_memsz};
        if (range.holds(search.address)) search.found = range;
    }
    return search.found.end != 0;
}

CodeRange code_around(const void* address) {
    Search search{reinterpret_cast<std::uintptr_t>(address), {}};
    dl_iterate_phdr(&look_at_object, &search);
    return search.found;
}

void handle(int signal, siginfo_t* info, void* state) {
    if (info->si_code != SI_TIMER) {
        if (previous.sa_flags & SA_SIGINFO)
            previous.sa_sigaction(signal, info, state);
        else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
            previous.sa_handler(signal);
        return;
    }
    timer.came_late(info->si_overrun);
    // In a library's code, in the engine's, or between two threads nobody is interrupted.
    const bool in_thread = context.worker && context.thread_index.x < context.row_end;
    if (!in_thread || !timer.range.holds(interrupted_at(state))) return;
    const int error = errno;
    // Other threads run before the handler returns, and are interrupted, too. Until here it is not: where signals come
    // faster than they are handled, frames of the handler would fill the stack.
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
    context.worker->preempt(state);
    errno = error;
}

void install_handler() {
    struct sigaction ours {};
    ours.sa_sigaction = handle;
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGURG, &ours, &previous);
}

bool make_timer() {
    static const bool installed = (install_handler(), true);
    static_cast<void>(installed);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGURG;
    event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
    return timer_create(debugged ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &event, &timer.id) == 0;
}

}  // namespace

std::uintptr_t interrupted_at(const void* state) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(state)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return static_cast<const ucontext_t*>(state)->uc_mcontext.pc;
#else
    static_cast<void>(state);
    return 0;
#endif
}

std::uint64_t digest_of_interrupted(const void* state, const Fiber& fiber) {
    const auto& machine = static_cast<const ucontext_t*>(state)->uc_mcontext;
    const auto with_stack = [&fiber](std::uintptr_t stack, std::uint64_t registers) {
        constexpr std::size_t kRedZone = 128;  // below the stack's end, where a function that calls nothing writes, too
        const auto* const from = reinterpret_cast<const std::byte*>(stack) - kRedZone;
        return digest_of(from, static_cast<std::size_t>(fiber.low + fiber.bytes - from), registers);
    };
#if defined(__x86_64__)
    constexpr std::size_t kGeneral = REG_RIP + 1;  // they come first
    std::uint64_t registers = digest_of(machine.gregs, kGeneral * sizeof machine.gregs[0], 0);
    if (machine.fpregs) registers = digest_of(machine.fpregs->_xmm, sizeof machine.fpregs->_xmm, registers);
    return with_stack(static_cast<std::uintptr_t>(machine.gregs[REG_RSP]), registers);
#elif defined(__aarch64__)
    return with_stack(machine.sp, digest_of(machine.regs, sizeof machine.regs, machine.pc));
#else
    static_cast<void>(machine), static_cast<void>(with_stack);
    return 0;
#endif
}

CodeRange code_apart_from_engine(const void* kernel) {
    thread_local const void* known = nullptr;
    thread_local CodeRange range;
    static const CodeRange own = code_around(reinterpret_cast<const void*>(&code_apart_from_engine));
    if (known != kernel) {
        known = kernel;
        range = code_around(kernel);
        if (range.begin == own.begin) range = {};
    }
    return range;
}

Preemption::Preemption(const CodeRange& range) {
    if (range.end == 0) return;
    if (!timer.made) timer.made = make_timer();
    if (!timer.made) return;
    timer.range = range;
    timer.shortest = kShortSlice;
    timer.late = 0;
    timer.set(kSlice);
    armed_ = true;
}

Preemption::~Preemption() {
    if (armed_) timer.stop();
}

void Preemption::adapt(bool waiting) {
    const long slice = waiting ? timer.shortest : kSlice;
    if (timer.made && timer.slice != slice) timer.set(slice);
}

}  // namespace lanework_simt::engine

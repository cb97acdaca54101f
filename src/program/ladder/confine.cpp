// Unprivileged means of Linux alone: no_new_privs, seccomp, landlock, limits of resources. What one of them lacks the
// others hold: each is tried, and said.
#include "src/program/ladder/confine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <lanework/error.hpp>
#include <utility>

#include "src/core/in_parts.hpp"

namespace lanework {
namespace {

struct NamedCall {
    const char* name;
    int number;
};

// What computing needs, and reading files that are named; whatever is not listed is forbidden. An old kernel's headers
// lack the newest.
constexpr int kAllowed[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_lseek,
    SYS_openat,
    SYS_readlinkat,
    SYS_faccessat,
    SYS_getdents64,
    SYS_fcntl,
    SYS_ioctl,
    SYS_getcwd,
    SYS_recvfrom,
    SYS_sendto,
    SYS_recvmsg,
    SYS_sendmsg,
    SYS_ppoll,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    SYS_membarrier,
    SYS_mincore,
    SYS_futex,
    SYS_set_robust_list,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getcpu,
    SYS_getpid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_tgkill,
    SYS_exit,
    SYS_exit_group,
    SYS_getrandom,
    SYS_sysinfo,
    SYS_uname,
    SYS_times,
    SYS_getrusage,
    SYS_prlimit64,
    SYS_timer_create,
    SYS_timer_settime,
    SYS_timer_gettime,
    SYS_timer_getoverrun,
    SYS_timer_delete,
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_open
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_readlink,
    SYS_access,
    SYS_poll,
    SYS_arch_prctl,
    SYS_time,
    SYS_getrlimit,
#endif
};

/// What rungs that do not behave call.
constexpr NamedCall kNamed[] = {{"socket", SYS_socket},
                                {"connect", SYS_connect},
                                {"execve", SYS_execve},
                                {"clone", SYS_clone},
                                {"ptrace", SYS_ptrace},
                                {"kill", SYS_kill},
                                {"unlinkat", SYS_unlinkat},
                                {"mkdirat", SYS_mkdirat},
                                {"mount", SYS_mount},
                                {"setuid", SYS_setuid},
                                {"process_vm_readv", SYS_process_vm_readv},
                                {"process_vm_writev", SYS_process_vm_writev},
#ifdef SYS_clone3
                                {"clone3", SYS_clone3},
#endif
#ifdef SYS_fork
                                {"fork", SYS_fork},
                                {"vfork", SYS_vfork},
                                {"unlink", SYS_unlink},
#endif
                                {"rt_sigaction of SIGSYS", SYS_rt_sigaction},
                                {"prctl", SYS_prctl},
                                {"pipe2", SYS_pipe2}};

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;  // nothing is known of its calls
#endif

void (*told_of_forbidden)(int number) = nullptr;

void forbidden(int, siginfo_t* info, void*) {
    if (told_of_forbidden) told_of_forbidden(info->si_syscall);
    raise(SIGSYS);  // which ends it: the handler is gone (SA_RESETHAND)
    _exit(1);
}

bool filter_calls() {
    if (kArchitecture == 0) return false;
    struct sigaction action {};
    action.sa_sigaction = forbidden;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESETHAND;
    sigaction(SIGSYS, &action, nullptr);
    const auto load = [](std::size_t offset) {
        return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
    };
    const auto answer = [](std::uint32_t value) { return sock_filter{BPF_RET | BPF_K, 0, 0, value}; };
    std::vector<sock_filter> program{load(offsetof(seccomp_data, arch)),
                                     {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture},
                                     answer(SECCOMP_RET_KILL_PROCESS),
                                     load(offsetof(seccomp_data, nr))};
    // Nobody takes the signal away that tells of forbidden calls.
    program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 4, SYS_rt_sigaction});
    program.push_back(load(offsetof(seccomp_data, args[0])));
    program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SIGSYS});
    program.push_back(answer(SECCOMP_RET_TRAP));
    program.push_back(load(offsetof(seccomp_data, nr)));
    for (const int number : kAllowed) {
        program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<std::uint32_t>(number)});
        program.push_back(answer(SECCOMP_RET_ALLOW));
    }
    program.push_back(answer(SECCOMP_RET_TRAP));
    sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// <linux/landlock.h> is missing where the kernel's headers are older than 5.13; the numbers are the kernel's for good.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr std::uint64_t kExecute = 1 << 0, kWriteFile = 1 << 1, kReadFile = 1 << 2, kReadFolder = 1 << 3;

struct LandlockRuleset {
    std::uint64_t files = 0, network = 0, scopes = 0;
};
struct [[gnu::packed]] LandlockPath {
    std::uint64_t allowed;
    std::int32_t parent;
};

/// What is readable can also be run where `run` is set.
bool confine_files(const std::vector<std::filesystem::path>& readable,
                   const std::vector<std::filesystem::path>& writable = {}, bool run = false) {
    constexpr unsigned kAskVersion = 1;
    const long version = syscall(kCreateRuleset, nullptr, 0, kAskVersion);
    if (version < 1) return false;
    // Every right that this version of landlock knows: 13 at first, then refer, truncate, ioctl.
    const int rights = version == 1 ? 13 : version == 2 ? 14 : version < 5 ? 15 : 16;
    LandlockRuleset rules{.files = (std::uint64_t{1} << rights) - 1};
    std::size_t size = sizeof(rules.files);
    if (version >= 4) {
        rules.network = 3;  // bind and connect
        size += sizeof(rules.network);
    }
    const int ruleset = static_cast<int>(syscall(kCreateRuleset, &rules, size, 0));
    if (ruleset < 0) return false;
    const auto allow = [&](const std::filesystem::path& path, std::uint64_t of_file, std::uint64_t of_folder) {
        const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
        if (file < 0) return;
        std::error_code error;
        const bool folder = std::filesystem::is_directory(path, error);
        const LandlockPath rule{of_file | (folder ? of_folder : 0), file};
        syscall(kAddRule, ruleset, 1, &rule, 0);
        close(file);
    };
    for (const std::filesystem::path& path : readable) allow(path, kReadFile | (run ? kExecute : 0), kReadFolder);
    for (const std::filesystem::path& path : writable) allow(path, kReadFile | kWriteFile, rules.files);
    const bool confined = syscall(kRestrictSelf, ruleset, 0) == 0;
    close(ruleset);
    return confined;
}

/// Bytes of addresses that this process has.
std::size_t mapped_bytes() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

bool limit(int resource, rlim_t most) {
    const rlimit both{most, most};
    return setrlimit(static_cast<__rlimit_resource_t>(resource), &both) == 0;
}

rlim_t seconds_used() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
}

}  // namespace

Confinement confine(const ConfinementWishes& wishes) {
    Confinement result;
    parts_have_threads = false;
    const auto say = [&](const char* what, bool holds) { (holds ? result.holds : result.missing).emplace_back(what); };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const bool alone = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    bool limited = limit(RLIMIT_CPU, seconds_used() + static_cast<rlim_t>(std::ceil(wishes.seconds)) + 1);
    limited = limit(RLIMIT_CORE, 0) && limited;
    limited = limit(RLIMIT_FSIZE, 0) && limited;
    say("limit of processor time", limited);
#if defined(__SANITIZE_ADDRESS__)
    say("limit of memory", false);  // the sanitizer maps all addresses
#else
    say("limit of memory", limit(RLIMIT_AS, mapped_bytes() + wishes.bytes));
#endif
    say("landlock", alone && confine_files(wishes.readable));
    told_of_forbidden = wishes.forbidden;
    say("seccomp", alone && filter_calls());
    return result;
}

namespace {

[[noreturn]] void work_confined(int channel, const ConfinementWishes& wishes,
                                const std::function<std::string()>& work) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);  // ended with all that it starts
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    limit(RLIMIT_CPU, seconds_used() + static_cast<rlim_t>(std::ceil(wishes.seconds)) + 1);
    limit(RLIMIT_AS, mapped_bytes() + wishes.bytes);
    confine_files(wishes.readable, wishes.writable, true);
    const std::string text = work();
    for (std::string_view rest = text; !rest.empty();) {
        const ssize_t written = write(channel, rest.data(), rest.size());
        if (written <= 0) break;
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    _exit(0);
}

}  // namespace

ConfinedText run_confined(const ConfinementWishes& wishes, const std::function<std::string()>& work) {
    int channel[2];
    if (pipe2(channel, O_CLOEXEC) != 0) throw UnavailableError("there are too many open files for another process");
    const pid_t child = fork();
    if (child < 0) throw UnavailableError(fmt::format("no process can be started: {}", std::strerror(errno)));
    if (child == 0) work_confined(channel[1], wishes, work);
    close(channel[1]);
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::duration<double>(10 * wishes.seconds);
    ConfinedText result;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
        pollfd waiting{channel[0], POLLIN, 0};
        const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
        if (ready < 0 && errno == EINTR) continue;
        char part[4096];
        const ssize_t length = ready > 0 ? read(channel[0], part, sizeof(part)) : -1;
        if (length <= 0) {
            result.late = length < 0;
            break;
        }
        result.text.append(part, static_cast<std::size_t>(length));
    }
    close(channel[0]);
    if (result.late && kill(-child, SIGKILL) != 0) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.late = result.late || !WIFEXITED(status);
    return result;
}

std::string system_call_name(int number) {
    for (const NamedCall& call : kNamed)
        if (call.number == number) return call.name;
    return fmt::format("call {}", number);
}

}  // namespace lanework

// Forks without executing: what the child is to run is there already, and nothing of it is trusted behind begin().
#include "src/program/ladder/cell.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>
#include <lanework/error.hpp>
#include <new>

namespace lanework {

struct Cell::Shared {
    static constexpr std::size_t kTexts = 256;
    int forbidden_call = -1;
    /// What holds and what is missing, each ended by a newline.
    char holds[kTexts] = {}, missing[kTexts] = {};
    /// What begin() or answer() threw.
    char failure[kTexts] = {};
};

namespace {

constexpr char kGo = 'g', kDone = 'd', kFailed = 'f';

void copy_text(char* to, std::size_t room, const std::string& text) {
    const std::size_t length = std::min(room - 1, text.size());
    std::memcpy(to, text.data(), length);
    to[length] = '\0';
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += word + "\n";
    return text;
}

std::vector<std::string> split_lines(const char* text) {
    std::vector<std::string> lines;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        lines.emplace_back(rest.substr(0, end));
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    return lines;
}

/// The child's place for the number of a call that is forbidden.
int* forbidden_call = nullptr;

void close_all_but(int kept) {
    const long most = std::min<long>(sysconf(_SC_OPEN_MAX), 65536);
    for (int file = STDERR_FILENO + 1; file < most; ++file)
        if (file != kept) close(file);
}

/// Standard streams that lead nowhere.
void silence() {
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
    if (nowhere > STDERR_FILENO) close(nowhere);
}

std::string signal_text(int number) {
    switch (number) {
        case SIGSEGV: return "a segmentation fault";
        case SIGBUS: return "a bus error";
        case SIGFPE: return "a division by zero";
        case SIGABRT: return "it aborted";
        case SIGXCPU: return "it used more processor time than it may";
        case SIGXFSZ: return "it wrote to a file";
        default: break;
    }
    const char* const name = strsignal(number);
    return fmt::format("it was ended by signal {}{}", number, name ? fmt::format(" ({})", name) : "");
}

}  // namespace

Cell::Cell(std::size_t bytes, const std::function<Confinement()>& begin, const std::function<void(CellMemory)>& answer)
    : bytes_(bytes) {
    void* const memory = mmap(nullptr, sizeof(Shared) + bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::byte*>(memory);
    new (memory_) Shared;
    int channel[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0)
        throw UnavailableError("there are too many open files for another process");
    child_ = fork();
    if (child_ < 0) throw UnavailableError(fmt::format("no process can be started: {}", std::strerror(errno)));
    channel_ = channel[child_ == 0 ? 1 : 0];
    close(channel[child_ == 0 ? 0 : 1]);
    if (child_ == 0) live(begin, answer);
}

Cell::~Cell() {
    reap(true);
    if (channel_ >= 0) close(channel_);
    munmap(memory_, sizeof(Shared) + bytes_);
}

bool Cell::tampered() const {
    const auto& shared = *reinterpret_cast<const Shared*>(memory_);
    return child_ > 0 && (shared.forbidden_call != -1 || std::memcmp(shared.holds, begun_->holds, Shared::kTexts) != 0);
}

CellMemory Cell::memory() const { return {memory_ + sizeof(Shared), bytes_}; }

void Cell::live(const std::function<Confinement()>& begin, const std::function<void(CellMemory)>& answer) {
    auto& shared = *reinterpret_cast<Shared*>(memory_);
    forbidden_call = &shared.forbidden_call;
    close_all_but(channel_);
    silence();
    const auto attempt = [&](const std::function<void()>& body) {
        try {
            body();
            return kDone;
        } catch (const std::exception& error) {
            copy_text(shared.failure, Shared::kTexts, error.what());
        } catch (...) {
            copy_text(shared.failure, Shared::kTexts, "an exception of its own");
        }
        return kFailed;
    };
    char said = attempt([&] {
        const Confinement confinement = begin();
        copy_text(shared.holds, Shared::kTexts, joined(confinement.holds));
        copy_text(shared.missing, Shared::kTexts, joined(confinement.missing));
    });
    for (;;) {
        if (write(channel_, &said, 1) != 1) _exit(0);
        char go = 0;
        if (read(channel_, &go, 1) != 1 || go != kGo) _exit(0);
        said = attempt([&] { answer(memory()); });
    }
}

Cell::Answer Cell::hear(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::duration<double>(seconds);
    for (;;) {
        const double left = std::chrono::duration<double>(until - Clock::now()).count();
        pollfd waiting{channel_, POLLIN, 0};
        const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(std::ceil(left * 1000))) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            reap(true);
            end_ = fmt::format("it took longer than {:.3g} s", seconds);
            return Answer::late;
        }
        char said = 0;
        const ssize_t length = read(channel_, &said, 1);
        const auto& shared = *reinterpret_cast<const Shared*>(memory_);
        if (length == 1 && said == kDone) return Answer::given;
        if (length == 1) {
            end_ = std::string(shared.failure, strnlen(shared.failure, Shared::kTexts));
            return Answer::none;
        }
        reap(false);
        return Answer::none;
    }
}

Cell::Answer Cell::wait_for_begin(double seconds) {
    const Answer answer = hear(seconds);
    const auto& shared = *reinterpret_cast<const Shared*>(memory_);
    begun_ = std::make_unique<Shared>(shared);
    if (answer == Answer::given) confinement_ = {split_lines(shared.holds), split_lines(shared.missing)};
    return answer;
}

Cell::Answer Cell::ask(double seconds) {
    if (child_ <= 0) return Answer::none;
    if (send(channel_, &kGo, 1, MSG_NOSIGNAL) != 1) {
        reap(false);
        return Answer::none;
    }
    return hear(seconds);
}

void Cell::reap(bool kill_it) {
    if (child_ <= 0) return;
    if (kill_it) kill(child_, SIGKILL);
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    const auto& shared = *reinterpret_cast<const Shared*>(memory_);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
        forbidden_ = true;
        const int call = shared.forbidden_call;
        end_ = call < 0 ? "it made a call of the system that it may not make"
                        : fmt::format("it made a call of the system that it may not make: {}", system_call_name(call));
    } else if (WIFSIGNALED(status)) {
        end_ = signal_text(WTERMSIG(status));
    } else {
        end_ = fmt::format("it ended by itself, with status {}", WEXITSTATUS(status));
    }
}

void note_forbidden_call(int number) {
    if (forbidden_call) *forbidden_call = number;
}

}  // namespace lanework

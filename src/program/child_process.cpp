// Starts a child without a shell, so that no argument needs quoting.
#include "src/program/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <lanework/error.hpp>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace lanework {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOwnerOnly = 0600;

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> result;
    for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
    result.push_back(nullptr);
    return result;
}

/// This process's variables with `changes`, each NAME=VALUE.
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
    std::vector<std::string> all = changes;
    for (char** variable = environ; *variable; ++variable) {
        const std::string text = *variable;
        const std::string name = text.substr(0, text.find('=') + 1);
        const bool changed = std::any_of(changes.begin(), changes.end(),
                                         [&](const std::string& change) { return change.starts_with(name); });
        if (!changed) all.push_back(text);
    }
    return all;
}

[[noreturn]] void fail_to_run(const std::string& program, int error) {
    throw UnavailableError(fmt::format("{} cannot be run: {}", program, std::strerror(error)));
}

/// The standard streams of a child that does not have this process's.
class Streams {
public:
    explicit Streams(const ChildProcess& child) {
        posix_spawn_file_actions_init(&actions_);
        constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND;
        open(STDIN_FILENO, child.input, O_RDONLY);
        open(STDOUT_FILENO, child.output, kAppend);
        open(STDERR_FILENO, child.errors, kAppend);
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
    ~Streams() { posix_spawn_file_actions_destroy(&actions_); }

    const posix_spawn_file_actions_t* actions() const { return &actions_; }

private:
    void open(int stream, const fs::path& file, int flags) {
        if (!file.empty()) posix_spawn_file_actions_addopen(&actions_, stream, file.c_str(), flags, kOwnerOnly);
    }

    posix_spawn_file_actions_t actions_;
};

}  // namespace

std::vector<std::string> in_english() {
    std::string characters;
    for (const char* name : {"LANG", "LC_CTYPE", "LC_ALL"})
        if (const char* const value = std::getenv(name); value && *value) characters = value;
    // LC_ALL would win over the other two.
    return {"LC_ALL=", "LC_MESSAGES=C", "LC_CTYPE=" + characters};
}

int run_program(const ChildProcess& child) {
    const std::vector<std::string> environment = environment_with(child.environment);
    const std::vector<char*> words = pointers(child.command), variables = pointers(environment);
    pid_t number = 0;
    {
        const Streams streams(child);
        const int error =
            posix_spawn(&number, words.front(), streams.actions(), nullptr, words.data(), variables.data());
        if (error != 0) fail_to_run(child.command.front(), error);
    }
    if (child.started) child.started(number);
    int status = 0;
    while (waitpid(number, &status, 0) < 0 && errno == EINTR) {
    }
    constexpr int kSignal = 128;
    return WIFEXITED(status) ? WEXITSTATUS(status) : kSignal + WTERMSIG(status);
}

void become_program(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
    const std::vector<std::string> all = environment_with(environment);
    const std::vector<char*> words = pointers(command), variables = pointers(all);
    execve(words.front(), words.data(), variables.data());
    fail_to_run(command.front(), errno);
}

}  // namespace lanework

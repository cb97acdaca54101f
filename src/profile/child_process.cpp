// Temporary files that no signal leaves behind.
#include "src/profile/child_process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <lanework/error.hpp>

#include "src/io/file.hpp"
#include "src/program/child_process.hpp"

namespace lanework {

namespace fs = std::filesystem;

namespace {

/// The name of a file that is there, for a signal's handler.
struct Listed {
    enum State : int { unused, being_written, there };
    std::atomic<int> state = unused;
    std::array<char, 256> name{};
};
std::array<Listed, 16> listed;

/// Where it is listed; −1 where there is no room: then it is gone with its owner alone.
int list(const std::string& path) {
    for (std::size_t k = 0; k < listed.size() && path.size() < listed[k].name.size(); ++k) {
        int unused = Listed::unused;
        if (!listed[k].state.compare_exchange_strong(unused, Listed::being_written)) continue;
        listed[k].name.fill('\0');
        std::copy(path.begin(), path.end(), listed[k].name.begin());
        listed[k].state = Listed::there;
        return static_cast<int>(k);
    }
    return -1;
}

}  // namespace

void remove_temporary_files() noexcept {
    for (const Listed& each : listed)
        if (each.state == Listed::there) unlink(each.name.data());
}

TemporaryFile::TemporaryFile(std::string_view ending) {
    std::string pattern = (temporary_folder() / "lanework-XXXXXX").string() + std::string(ending);
    const int file = mkstemps(pattern.data(), static_cast<int>(ending.size()));
    if (file < 0) throw FileError(fmt::format("{}: no file can be made there: {}", pattern, std::strerror(errno)));
    close(file);
    path_ = pattern;
    place_ = list(pattern);
}

TemporaryFile::~TemporaryFile() {
    std::error_code code;
    fs::remove(path_, code);
    if (place_ >= 0) listed[static_cast<std::size_t>(place_)].state = Listed::unused;
}

std::string TemporaryFile::text() const { return file_text(path_); }

int run_program(const std::vector<std::string>& command, const fs::path& output, const fs::path& errors) {
    return run_program(ChildProcess{.command = command, .output = output, .errors = errors});
}

}  // namespace lanework

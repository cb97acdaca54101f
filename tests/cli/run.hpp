// Runs the built program as a user does, and keeps what it said.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/temporary_folder.hpp"

namespace lanework {

struct Said {
    int status = -1;
    std::string out, err;
};

inline std::string contents(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

using Folder = TemporaryFolder;

/// Runs a shell command in which `lanework` is the program. Programs and measured ceilings go to a cache that all tests
/// share, ctest's, or without it a user's; temporary files go with the command.
inline Said shell(const std::string& command) {
    const Folder folder;
    const char* const shared = std::getenv("XDG_CACHE_HOME");
    const std::string cache = shared ? shared : testing::TempDir() + "lanework-cli-cache-" + std::to_string(getuid());
    const std::string script = "export XDG_CACHE_HOME='" + cache + "' TMPDIR='" + folder.string() +
                               "'; lanework() { '" LANEWORK_BINARY "' \"$@\"; }\n" + command;
    std::ofstream(folder / "script") << script;
    const int status = std::system(("bash '" + (folder / "script").string() + "' >'" + (folder / "out").string() +
                                    "' 2>'" + (folder / "err").string() + "' </dev/null")
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, contents(folder / "out"), contents(folder / "err")};
}

/// Runs `lanework` with these words.
inline Said lanework_with(const std::string& words) { return shell("lanework " + words); }

/// Words of a shell script: waits until `pattern` is in `file`, or the process $pid has ended.
inline std::string wait_for(const std::string& pattern, const std::string& file) {
    return "until grep -qs '" + pattern + "' '" + file + "'; do kill -0 $pid || break; sleep 0.05; done\n";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// `lanework` with these words, interrupted after some seconds: after more where nothing was finished yet, on a machine
/// that has other things to do.
inline Said interrupted(const std::string& words) {
    Said run;
    for (const int seconds : {4, 20, 100}) {
        run = shell("env --default-signal=INT '" LANEWORK_BINARY "' " + words + " & sleep " + std::to_string(seconds) +
                    "; kill -INT $!; wait $!");
        if (!contains(run.err, "before anything was finished")) break;
    }
    return run;
}

/// A mistake of the user: this status, nothing on stdout, one line that holds `message`, at most one more as a hint.
inline void expect_mistake(const std::string& words, int status, const std::string& message) {
    const Said run = lanework_with(words);
    EXPECT_EQ(run.status, status) << words << "\n" << run.err;
    EXPECT_EQ(run.out, "") << words;
    EXPECT_TRUE(contains(run.err, message)) << words << "\n" << run.err;
    EXPECT_LE(std::count(run.err.begin(), run.err.end(), '\n'), 2) << words << "\n" << run.err;
}

}  // namespace lanework

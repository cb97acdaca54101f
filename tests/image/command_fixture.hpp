// Running lanework image in a folder of its own, for the tests of that command.
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <lanework/device.hpp>
#include <map>

#include "tests/codecs/pictures.hpp"

namespace lanework::test {

struct Outcome {
    int status = -1;
    /// stdout and stderr together
    std::string text;
};

inline Outcome run(const std::string& line) {
    Outcome outcome;
    std::FILE* output = popen(line.c_str(), "r");
    char part[4096];
    while (const std::size_t count = std::fread(part, 1, sizeof part, output)) outcome.text.append(part, count);
    const int status = pclose(output);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

inline Outcome run_image(const std::string& words) {
    return run(std::string(LANEWORK_BINARY) + " image " + words + " 2>&1");
}
/// The same where the words say where stdout goes.
inline Outcome run_video(const std::string& words) { return run(LANEWORK_BINARY " image 2>&1 " + words); }

inline std::string photo() { return std::string(LANEWORK_SOURCE_DIR) + "/examples/data/astronaut.png"; }

inline std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The bytes of all files of a folder, by name.
inline std::map<std::string, std::string> files_of(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        files[entry.path().filename().string()] = contents(entry.path());
    return files;
}

class ImageCommand : public ::testing::Test {
protected:
    std::string in(const std::string& name) const { return (folder_ / name).string(); }
    void make(const std::string& name, int channels = 3) {
        write_image(folder_ / name, random_image(20, 31, channels));
    }
    bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

    TemporaryFolder folder_;
};

}  // namespace lanework::test

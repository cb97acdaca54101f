// Looks where shells look, then where NVIDIA installs.
#include "src/profile/toolkit_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace lanework {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
    std::error_code code;
    return fs::is_regular_file(file, code) && access(file.c_str(), X_OK) == 0;
}

Surroundings surroundings() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return value ? value : "";
    };
    const char* home = variable("CUDA_HOME");
    return {.path = variable("PATH"), .toolkit = *home ? home : variable("CUDA_PATH")};
}

fs::path find_toolkit_program(std::string_view name, const Surroundings& here) {
    for (std::string_view path = here.path; !path.empty();) {
        const std::string_view folder = path.substr(0, path.find(':'));
        if (const fs::path file = fs::path(folder) / name; !folder.empty() && is_program(file)) return file;
        path.remove_prefix(std::min(folder.size() + 1, path.size()));
    }
    for (const fs::path& toolkit : {here.toolkit, here.root / "usr/local/cuda"})
        if (const fs::path file = toolkit / "bin" / name; !toolkit.empty() && is_program(file)) return file;
    return {};
}

fs::path find_toolkit_program(std::string_view name) { return find_toolkit_program(name, surroundings()); }

}  // namespace lanework

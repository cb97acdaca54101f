// Looks where shells look, then where NVIDIA installs.
#include "src/profile/toolkit_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <system_error>
#include <vector>

namespace lanework {

namespace fs = std::filesystem;

namespace {

template <class Visit>
void for_entries(const fs::path& folder, Visit visit) {
    std::error_code code;
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder, code)) entries.push_back(entry.path());
    std::ranges::sort(entries, std::greater());  // the newest first
    for (const fs::path& entry : entries) visit(entry);
}

/// Of NVIDIA's packages below PREFIX/lib/python3.*/site-packages.
fs::path in_packages(const fs::path& prefix, std::string_view name) {
    fs::path found;
    for_entries(prefix / "lib", [&](const fs::path& python) {
        if (!python.filename().string().starts_with("python3")) return;
        for (const char* packages : {"site-packages", "dist-packages"})
            for_entries(python / packages / "nvidia", [&](const fs::path& package) {
                if (found.empty() && is_program(package / "bin" / name)) found = package / "bin" / name;
            });
    });
    return found;
}

}  // namespace

bool is_program(const fs::path& file) {
    std::error_code code;
    return fs::is_regular_file(file, code) && access(file.c_str(), X_OK) == 0;
}

ToolkitPlaces toolkit_places() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return value ? value : "";
    };
    const char* home = variable("CUDA_HOME");
    return {.path = variable("PATH"),
            .toolkit = *home ? home : variable("CUDA_PATH"),
            .root = "/",
            .home = variable("HOME")};
}

fs::path find_toolkit_program(std::string_view name, const ToolkitPlaces& here) {
    for (std::string_view path = here.path; !path.empty();) {
        const std::string_view folder = path.substr(0, path.find(':'));
        if (const fs::path file = fs::path(folder) / name; !folder.empty() && is_program(file)) return file;
        path.remove_prefix(std::min(folder.size() + 1, path.size()));
    }
    for (const fs::path& toolkit : {here.toolkit, here.root / "usr/local/cuda"})
        if (const fs::path file = toolkit / "bin" / name; !toolkit.empty() && is_program(file)) return file;
    for (std::string_view path = here.path; !path.empty();) {
        const fs::path folder(path.substr(0, path.find(':')));
        if (folder.filename() == "bin")
            if (const fs::path file = in_packages(folder.parent_path(), name); !file.empty()) return file;
        path.remove_prefix(std::min(path.find(':') == path.npos ? path.size() : path.find(':') + 1, path.size()));
    }
    return here.home.empty() ? fs::path() : in_packages(here.home / ".local", name);
}

fs::path find_toolkit_program(std::string_view name) { return find_toolkit_program(name, toolkit_places()); }

}  // namespace lanework

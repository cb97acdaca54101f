// Looks where shells look, then where NVIDIA installs.
#include "src/machine/cuda_toolkit.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace lanework {

namespace fs = std::filesystem;

namespace {

template <class Visit>
void for_entries(const fs::path& folder, Visit visit) {
    std::error_code code;
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder, code)) entries.push_back(entry.path());
    // The newest first: python3.13 before python3.9.
    std::ranges::sort(entries,
                      [](const fs::path& a, const fs::path& b) { return strverscmp(a.c_str(), b.c_str()) > 0; });
    for (const fs::path& entry : entries) visit(entry);
}

/// The folders of NVIDIA's packages below PREFIX/lib/python3.*/site-packages.
std::vector<fs::path> packages_below(const fs::path& prefix) {
    std::vector<fs::path> found;
    for_entries(prefix / "lib", [&](const fs::path& python) {
        if (!python.filename().string().starts_with("python3")) return;
        for (const char* packages : {"site-packages", "dist-packages"})
            for_entries(python / packages / "nvidia", [&](const fs::path& package) { found.push_back(package); });
    });
    return found;
}

/// Those of every Python on PATH, and the user's.
std::vector<fs::path> python_packages(const ToolkitPlaces& here) {
    std::vector<fs::path> found;
    const auto add = [&](const fs::path& prefix) {
        const std::vector<fs::path> more = packages_below(prefix);
        found.insert(found.end(), more.begin(), more.end());
    };
    for (std::string_view path = here.path; !path.empty();) {
        const fs::path folder(path.substr(0, path.find(':')));
        if (folder.filename() == "bin") add(folder.parent_path());
        path.remove_prefix(path.find(':') == path.npos ? path.size() : path.find(':') + 1);
    }
    if (!here.home.empty()) add(here.home / ".local");
    return found;
}

/// The number behind "#define CUB_VERSION"; 0 where there is none.
int version_of_cub(const fs::path& header) {
    std::ifstream stream(header);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string define, name;
        int version = 0;
        if (words >> define >> name >> version && define == "#define" && name == "CUB_VERSION") return version;
    }
    return 0;
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
    for (const fs::path& package : python_packages(here))
        if (const fs::path file = package / "bin" / name; is_program(file)) return file;
    return {};
}

CcclFolder look_for_cccl(const fs::path& folder) {
    CcclFolder found{.folder = folder, .version = version_of_cub(folder / "cub" / "version.cuh"), .alone = true};
    std::error_code code;
    for (const char* part : {"thrust", "cuda", "nv"})
        if (!fs::is_directory(folder / part, code)) found.version = 0;
    constexpr std::string_view kParts[] = {"thrust", "cub", "cuda", "nv", "__init__.py", "__pycache__"};
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (std::ranges::find(kParts, entry.path().filename().string()) == std::end(kParts)) found.alone = false;
    return found;
}

std::vector<CcclFolder> find_cccl_folders(const ToolkitPlaces& here) {
    std::vector<fs::path> folders;
    const auto add = [&](const fs::path& root) {
        // Since CUDA 13, and before.
        for (const char* place : {"include/cccl", "include"}) folders.push_back(root / place);
    };
    for (const fs::path& toolkit : {here.toolkit, here.root / "usr/local/cuda"})
        if (!toolkit.empty()) add(toolkit);
    for (const fs::path& package : python_packages(here)) add(package);
    folders.push_back(here.root / "usr/include");
    std::vector<CcclFolder> found;
    for (const fs::path& folder : folders) {
        CcclFolder each = look_for_cccl(folder);
        if (each.version == 0) continue;
        std::error_code code;
        if (const fs::path real = fs::canonical(folder, code); !code) each.folder = real;
        const auto same = [&](const CcclFolder& other) { return other.folder == each.folder; };
        if (std::ranges::none_of(found, same)) found.push_back(std::move(each));
    }
    return found;
}

fs::path find_toolkit_program(std::string_view name) { return find_toolkit_program(name, toolkit_places()); }

}  // namespace lanework

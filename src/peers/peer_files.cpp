// Looks into the folders of Python's packages: the active environment, the user's, the system's.
#include "src/peers/peer_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace lanework {
namespace {

namespace fs = std::filesystem;

std::string environment_variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/// Folders that have lib/ below them.
std::vector<fs::path> prefixes() {
    std::vector<fs::path> found;
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const std::string value = environment_variable(name); !value.empty()) found.emplace_back(value);
    if (const std::string home = environment_variable("HOME"); !home.empty())
        found.push_back(fs::path(home) / ".local");
    found.insert(found.end(), {"/usr/local", "/usr"});
    return found;
}

/// Entries of a folder, in order; none where it cannot be read.
std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<fs::path> package_folders() {
    std::vector<fs::path> found;
    std::string paths = environment_variable("PYTHONPATH");
    for (std::size_t end; !paths.empty(); paths.erase(0, end == paths.npos ? end : end + 1)) {
        end = paths.find(':');
        if (const std::string path = paths.substr(0, end); !path.empty()) found.emplace_back(path);
    }
    for (const fs::path& prefix : prefixes())
        for (const fs::path& folder : entries(prefix / "lib"))
            if (folder.filename().string().starts_with("python3"))
                for (const char* packages : {"site-packages", "dist-packages"}) found.push_back(folder / packages);
    return found;
}

}  // namespace

std::vector<std::string> openblas_files() {
    if (std::string given = environment_variable("LANEWORK_OPENBLAS"); !given.empty()) return {given};
    std::vector<std::string> found{"libopenblas.so.0", "libopenblas.so"};
    for (const fs::path& packages : package_folders())
        for (const char* folder : {"scipy_openblas32/lib", "scipy_openblas64/lib", "numpy.libs", "scipy.libs"})
            for (const fs::path& file : entries(packages / folder)) {
                const std::string name = file.filename().string();
                if (name.starts_with("libscipy_openblas") && name.find(".so") != name.npos)
                    found.push_back(file.string());
            }
    return found;
}

std::vector<std::string> onednn_files() {
    if (std::string given = environment_variable("LANEWORK_ONEDNN"); !given.empty()) return {given};
    std::vector<std::string> found{"libdnnl.so.3"};
    for (const fs::path& prefix : prefixes()) {
        std::error_code error;
        if (const fs::path file = prefix / "lib" / "libdnnl.so.3"; fs::exists(file, error))
            found.push_back(file.string());
    }
    found.emplace_back("libdnnl.so.2");
    return found;
}

}  // namespace lanework

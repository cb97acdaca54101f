// Looks along PATH and beside the running program.
#include "src/program/toolchain.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <lanework/error.hpp>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "liblanework_simt.so";

bool is_executable(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

bool is_script(const fs::path& file) {
    char begin[2] = {};
    std::ifstream(file, std::ios::binary).read(begin, sizeof begin);
    return begin[0] == '#' && begin[1] == '!';
}

/// What a compiler says of itself; empty where it says nothing.
std::string version_text(const fs::path& compiler) {
    std::string quoted = "'";
    for (const char c : compiler.string()) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    const std::unique_ptr<FILE, int (*)(FILE*)> output(popen((quoted + "' --version 2>/dev/null").c_str(), "r"),
                                                       pclose);
    std::string text(4096, '\0');
    text.resize(output ? fread(text.data(), 1, text.size(), output.get()) : 0);
    return text;
}

/// By the file's name and by that of what it is a link to. A script and a name that says nothing are asked: a wrapper
/// may be called g++ and run clang. What does not say that it is clang takes g++'s options.
CompilerFamily family_of(const fs::path& compiler) {
    std::error_code error;
    const fs::path real = fs::canonical(compiler, error);
    const std::string names = compiler.filename().string() + " " + real.filename().string();
    const auto named = [&](std::string_view text) { return names.find(text) != names.npos; };
    const bool told = !is_script(compiler) && (named("clang") || named("g++") || named("gcc"));
    const bool clang = told ? named("clang") : version_text(compiler).find("clang") != std::string::npos;
    return clang ? CompilerFamily::clang : CompilerFamily::gnu;
}

/// The compiler that a value of CXX names, as in "ccache g++ -m64".
std::string compiler_word(const std::string& value) {
    std::istringstream words(value);
    std::string word;
    while (words >> word)
        if (word != "ccache" && word != "sccache" && word != "distcc") return word;
    return value;
}

fs::path find_compiler(const std::string& wanted) {
    if (!wanted.empty()) {
        // nvcc's -ccbin may name the folder that g++ is in.
        std::error_code error;
        const fs::path found =
            find_program(fs::is_directory(wanted, error) ? (fs::path(wanted) / "g++").string() : wanted);
        if (found.empty()) throw UnavailableError(fmt::format("there is no compiler {}", wanted));
        return found;
    }
    if (const char* const chosen = std::getenv("CXX"); chosen && *chosen) {
        const fs::path found = find_program(compiler_word(chosen));
        if (found.empty())
            throw UnavailableError(fmt::format("there is no compiler {}, which the variable CXX names", chosen));
        return found;
    }
    for (const char* name : {"g++", "clang++"})
        if (const fs::path found = find_program(name); !found.empty()) return found;
    throw UnavailableError(
        "programs are built with g++ or clang++, and neither is on the path: install one, or name it in CXX");
}

struct Device {
    fs::path headers, public_headers, library;
};

/// Where the device's files can be, seen from this program's folder: in a build, and in the folders of `cmake
/// --install`.
std::vector<Device> candidates(const fs::path& folder) {
    const fs::path installed = folder / LANEWORK_INCLUDE_FROM_BIN;
    return {{LANEWORK_SOURCE_DIR "/src/simt/include", LANEWORK_SOURCE_DIR "/include", folder / "src" / kLibrary},
            {installed / "lanework_cuda", installed, folder / LANEWORK_LIB_FROM_BIN / kLibrary}};
}

Device find_device() {
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const Device& device : candidates(folder))
        if (fs::exists(device.headers / "cuda_runtime.h", error) && fs::exists(device.library, error))
            return {fs::canonical(device.headers), fs::canonical(device.public_headers), fs::canonical(device.library)};
    throw UnavailableError(fmt::format(
        "programs need {}, which is neither beside {} nor in {}: this build has no simt device, "
        "or it was moved without its library",
        kLibrary, (folder / "lanework").string(), (folder / LANEWORK_LIB_FROM_BIN).lexically_normal().string()));
}

/// Up to CUDA 12 these libraries lie among the toolkit's own headers, which cannot be had without them.
fs::path find_cccl() {
    std::error_code error;
    const auto holds_all = [&](const fs::path& folder) {
        return fs::exists(folder / "cuda/std/__cccl/compiler.h", error) && fs::exists(folder / "thrust", error) &&
               fs::exists(folder / "cub", error);
    };
    if (const char* const chosen = std::getenv("LANEWORK_CCCL"); chosen && *chosen) {
        if (!holds_all(chosen))
            throw UnavailableError(fmt::format(
                "{}, which the variable LANEWORK_CCCL names, has no folders thrust, cub and cuda of CCCL 3", chosen));
        return fs::canonical(chosen);
    }
    std::vector<fs::path> toolkits;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* const folder = std::getenv(variable); folder && *folder) toolkits.emplace_back(folder);
    toolkits.emplace_back("/usr/local/cuda");
    for (const fs::path& toolkit : toolkits)
        if (const fs::path folder = toolkit / "include/cccl"; holds_all(folder)) return fs::canonical(folder);
    return {};
}

}  // namespace

fs::path find_program(const std::string& name) {
    if (name.empty()) return {};
    if (name.find('/') != name.npos) return is_executable(name) ? fs::absolute(name) : fs::path();
    const char* const path = std::getenv("PATH");
    std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
    while (true) {
        const std::size_t colon = rest.find(':');
        const fs::path folder = rest.substr(0, colon);
        if (const fs::path found = (folder.empty() ? fs::path(".") : folder) / name; is_executable(found))
            return fs::absolute(found);
        if (colon == rest.npos) return {};
        rest.remove_prefix(colon + 1);
    }
}

std::string file_identity(const fs::path& file) {
    std::error_code error;
    const fs::path real = fs::canonical(file, error);
    const auto size = fs::file_size(real, error);
    const auto time = fs::last_write_time(real, error).time_since_epoch().count();
    return fmt::format("{} {} {}", real.string(), size, time);
}

fs::path find_sources() {
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& each : {fs::path(LANEWORK_SOURCE_DIR), folder / LANEWORK_DATA_FROM_BIN / "lanework"})
        if (fs::is_directory(each / "ops", error)) return fs::canonical(each);
    return {};
}

fs::path find_device_headers() { return find_device().headers; }

Toolchain find_toolchain(const std::string& wanted) {
    const fs::path compiler = find_compiler(wanted);
    const Device device = find_device();
    return {.compiler = compiler,
            .family = family_of(compiler),
            .identity = file_identity(compiler),
            .headers = device.headers,
            .public_headers = device.public_headers,
            .cccl = find_cccl(),
            .library = device.library,
            .library_identity = file_identity(device.library)};
}

}  // namespace lanework

// Looks along PATH and beside the running program.
#include "src/program/toolchain.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <lanework/error.hpp>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "src/core/host.hpp"
#include "src/machine/cuda_toolkit.hpp"
#include "src/program/digest.hpp"

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

/// Of CCCL, as CUB_VERSION counts: examples/programs were run with 2.8.2, 3.0, 3.1, 3.2, 3.3 and 3.5. From 3.2
/// on CUB's DeviceTransform is missing here, from 3.4 on all of CUB: these are taken where there is no other.
constexpr int kOldestCccl = 200800, kEndOfTransform = 300200, kEndOfCub = 300400;

std::string version_name(int cub_version) {
    return fmt::format("{}.{}.{}", cub_version / 100000, cub_version / 100 % 1000, cub_version % 100);
}

/// A folder that has nothing but CCCL: the toolkit's other headers are the simt device's own. One that has more is
/// linked to from the user's cache; empty where nothing can be written there.
fs::path alone(const CcclFolder& found) {
    if (found.alone) return found.folder;
    const fs::path cache = cache_folder();
    if (cache.empty()) return {};
    const fs::path links = cache / "cccl" / Digest().add(found.folder.string()).text();
    std::error_code error;
    fs::create_directories(links, error);
    for (const char* part : {"thrust", "cub", "cuda", "nv"}) {
        const fs::path link = links / part;
        if (!fs::exists(link, error)) fs::create_directory_symlink(found.folder / part, link, error);
        if (!fs::exists(link, error)) return {};
    }
    return links;
}

fs::path find_cccl() {
    if (const char* const chosen = std::getenv("LANEWORK_CCCL"); chosen && *chosen) {
        const CcclFolder named = look_for_cccl(fs::absolute(chosen));
        if (named.version == 0)
            throw UnavailableError(fmt::format(
                "{}, which the variable LANEWORK_CCCL names, has no folders thrust, cub, cuda and nv of CCCL", chosen));
        if (named.version < kOldestCccl)
            throw UnavailableError(
                fmt::format("{}, which the variable LANEWORK_CCCL names, is CCCL {}; programs need {} "
                            "or newer: CUDA 12.9 and newer have it, and so has {}",
                            chosen, version_name(named.version), version_name(kOldestCccl), kCcclPackage));
        const fs::path folder = alone(named);
        if (folder.empty())
            throw UnavailableError(fmt::format(
                "{}, which the variable LANEWORK_CCCL names, holds more than CCCL, and there is no cache folder "
                "for links to it: let XDG_CACHE_HOME name one that can be written",
                chosen));
        return folder;
    }
    std::vector<CcclFolder> found = find_cccl_folders(toolkit_places());
    std::erase_if(found, [](const CcclFolder& each) { return each.version < kOldestCccl; });
    for (const int end : {kEndOfCub, kEndOfTransform})
        std::stable_partition(found.begin(), found.end(), [&](const CcclFolder& each) { return each.version < end; });
    for (const CcclFolder& each : found)
        if (const fs::path folder = alone(each); !folder.empty()) return folder;
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

fs::path cccl_in(const fs::path& folder) {
    const CcclFolder found = look_for_cccl(fs::absolute(folder));
    return found.alone && found.version >= kOldestCccl ? found.folder.lexically_normal() : fs::path();
}

std::string describe_cccl(const fs::path& cccl) {
    if (cccl.empty()) return fmt::format("no CCCL from {} on: {} brings it", version_name(kOldestCccl), kCcclPackage);
    const int version = look_for_cccl(cccl).version;
    return fmt::format("CCCL {} in {}", version_name(version), cccl.string()) +
           (version < kEndOfTransform
                ? ""
                : fmt::format("; {} needs an older one: {}",
                              version < kEndOfCub ? "CUB's DeviceTransform, and so <cub/cub.cuh>," : "CUB",
                              kCcclPackage));
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

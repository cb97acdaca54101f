// What to do about a file that does not compile, or a program that does not link, from what was said of it.
#include "src/program/build_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "src/io/file.hpp"
#include "src/program/call.hpp"
#include "src/program/compiler_messages.hpp"
#include "src/program/toolchain.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Where a header is from that programs include and no toolkit has. One in a folder of the program's is its own.
std::string origin_of(const std::string& name, bool has_cccl) {
    for (const char* known : {"helper_cuda.h", "helper_functions.h", "helper_timer.h", "helper_math.h",
                              "helper_image.h", "helper_string.h"})
        if (name == known) return fmt::format("; {} is part of cuda-samples; add -I with its folder Common", name);
    for (const char* known : {"torch/", "ATen/", "c10/"})
        if (name.starts_with(known))
            return fmt::format(
                "; {} is PyTorch's: -I\"$(python3 -c 'import torch; print(torch.__path__[0])')/include\" names its "
                "folder; docs/your-own-program.md has the whole command",
                name);
    for (const char* known : {"cutil.h", "cutil_inline.h", "cutil_math.h", "shrUtils.h", "shrQATest.h", "sdkHelper.h"})
        if (name == known)
            return fmt::format("; {} came with NVIDIA's SDK for CUDA 4 and older: -I names its folder", name);
    for (const char* part : {"thrust/", "cub/", "cuda/", "nv/"})
        if (!has_cccl && name.starts_with(part))
            return fmt::format(
                "; Thrust, CUB and libcu++ are NVIDIA's CCCL, of which none from 2.8 on was found: {} "
                "brings it, a toolkit from CUDA 12.9 on has it, and LANEWORK_CCCL names its folder",
                kCcclPackage);
    return {};
}

/// Whether a line of the text includes the header: no comment, and no code that merely names it.
bool includes(std::string_view text, std::string_view header) {
    const auto skip_blanks = [](std::string_view& line) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    };
    const auto take = [&](std::string_view& line, std::string_view word) {
        skip_blanks(line);
        if (!line.starts_with(word)) return false;
        line.remove_prefix(word.size());
        return true;
    };
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (take(line, "#") && take(line, "include") && take(line, "<") && take(line, header) && take(line, ">"))
            return true;
    }
    return false;
}

/// What to say of a header that a later standard than C++17 has, where no standard is asked for; `missing` is one that
/// the compiler did not find.
std::string about_later_header(const fs::path& source, const BuildRequest& request, const std::string& missing) {
    const auto names_standard = [](const std::string& word) { return word.starts_with("-std="); };
    if (std::ranges::any_of(request.preprocess, names_standard) || std::ranges::any_of(request.compile, names_standard))
        return {};
    const std::string text = text_of(source);
    const auto found = [&](const char* header, int standard) {
        return missing == header
                   ? fmt::format("; this compiler has no <{}>, of C++{}: a newer one has", header, standard)
                   : fmt::format(
                         "; it is compiled as C++17, and includes <{}>, of C++{}; -std=c++{} asks "
                         "for it",
                         header, standard, standard);
    };
    for (const char* header : {"concepts", "span", "ranges", "numbers", "format", "compare", "coroutine", "barrier",
                               "latch", "semaphore", "source_location", "stop_token"})
        if (includes(text, header)) return found(header, 20);
    for (const char* header : {"expected", "print", "generator", "mdspan", "stacktrace"})
        if (includes(text, header)) return found(header, 23);
    return {};
}

/// "; or run a kernel alone: --call …", where a command lacks nothing but a main.
std::string advice_to_call(const BuildRequest& request) {
    const std::string example = request.output.empty() ? example_call(request.inputs.front()) : "";
    return example.empty() ? "" : fmt::format(", or run a kernel without one: --call '{}'", example);
}

}  // namespace

std::string what_it_may_be(const std::string& file) {
    const std::string ending = fs::path(file).extension().string();
    if (ending == ".ptx" || ending == ".cubin" || ending == ".fatbin" || ending == ".sass")
        return "; it holds code for a GPU: name the .cu file that it was made of";
    if (ending == ".py" || ending == ".ipynb") return "; put its CUDA code into a .cu file";
    return fmt::format("; -x cu {} compiles it as CUDA", file);
}

std::string advice_for(const fs::path& source, const BuildRequest& request, const std::string& language,
                       const std::string& said, bool has_cccl) {
    const std::string missing = missing_header(said);
    std::string advice = origin_of(missing, has_cccl);
    if (advice.empty()) advice = about_later_header(source, request, missing);
    const std::string text = text_of(source);
    if (text.starts_with("%%")) advice += "; remove its first line, which is a notebook's command";
    if (language == "cu") return advice;
    if (text.find("__global__") != std::string::npos || text.find("<<<") != std::string::npos)
        advice += "; it has kernels of CUDA: name it .cu, or put -x cu before it";
    return advice;
}

std::string defined_twice(std::string_view said, const std::vector<std::pair<std::string, std::string>>& objects) {
    const std::vector<std::string> names = names_defined_twice(said);
    std::vector<std::string> sources;
    for (const auto& [object, source] : objects)
        if (said.find(object) != said.npos) sources.push_back(source);
    if (names.empty() || sources.size() < 2) return {};
    return fmt::format(": {} {} define {}; make what only its own file uses static, or name one of the files",
                       fmt::join(sources, " and "), sources.size() == 2 ? "both" : "all", fmt::join(names, " and "));
}

std::string undefined_of_program(const std::vector<std::string>& names, const BuildRequest& request) {
    if (names.empty()) return {};
    const bool one_file = request.inputs.size() == 1, main_alone = names == std::vector<std::string>{"main"};
    constexpr std::size_t kShown = 3;
    const std::vector<std::string> shown(names.begin(), names.begin() + std::ptrdiff_t(std::min(names.size(), kShown)));
    const std::string more = names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "";
    return fmt::format(
        ": {} has {}{}; name the file {}that has it{}", one_file ? "it" : "none of its files",
        one_file ? fmt::format("no {}", fmt::join(shown, " and no ")) : fmt::format("{}", fmt::join(shown, " or ")),
        more, names.front() == "main" ? "" : "or the library (-l) ",
        one_file && main_alone ? advice_to_call(request) : "");
}

}  // namespace lanework

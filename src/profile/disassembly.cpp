// cuobjdump is asked for the rung's symbols only: all of a program's SASS takes it minutes.
#include "src/profile/disassembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <sstream>

#include "src/core/compilation_error.hpp"
#include "src/gpu/kernel_records.hpp"
#include "src/machine/cuda_toolkit.hpp"
#include "src/profile/child_process.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr int kAnyArchitecture = 90;  // what is compiled for where no architecture is asked for

constexpr std::string_view kBringsCuobjdump =
    "cuobjdump was not found on PATH, in CUDA_HOME or in /usr/local/cuda/bin: it comes with the CUDA toolkit (package "
    "cuda-cuobjdump-13-0 and cuda-nvdisasm-13-0 of NVIDIA's repository, or `pip install nvidia-cuda-cuobjdump "
    "nvidia-cuda-nvdisasm`)";
constexpr std::string_view kBringsNvcc =
    "nvcc was not found on PATH, in CUDA_HOME or in /usr/local/cuda/bin: it comes with the CUDA toolkit (package "
    "cuda-nvcc-13-0 of NVIDIA's repository)";

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::vector<KernelCode> parse(const std::string& text, CodeForm form) {
    return form == CodeForm::ptx ? parse_ptx(text) : parse_sass(text);
}

// The kernels that were asked for, in that order.
std::vector<KernelCode> chosen(std::vector<KernelCode> all, const std::vector<std::string>& symbols) {
    std::vector<KernelCode> kernels;
    for (const std::string& symbol : symbols)
        for (KernelCode& kernel : all)
            if (kernel.symbol == symbol) kernels.push_back(std::move(kernel));
    return kernels;
}

// What cuobjdump finds in a file. It warns of each part of the file that has no such kernel: that is thrown away.
std::vector<KernelCode> dump(const CodeRequest& request, const CodeTools& tools) {
    const TemporaryFile output, errors;
    const int status = run_program(cuobjdump_command(request, tools), output.path(), errors.path());
    if (status != 0)
        throw UnavailableError(fmt::format("{} failed: {}", tools.cuobjdump.string(), first_line(errors.text())));
    return parse(output.text(), request.form);
}

std::string target_of(const CodeRequest& request) { return fmt::format("sm_{}", *request.architecture); }

std::vector<KernelCode> from_binary(const CodeRequest& request, const CodeTools& tools) {
    if (tools.cuobjdump.empty() || request.symbols.empty()) return {};
    auto kernels = chosen(dump(request, tools), request.symbols);
    if (request.architecture)
        std::erase_if(kernels, [&](const KernelCode& kernel) { return kernel.target != target_of(request); });
    return kernels;
}

std::vector<KernelCode> compile(CodeRequest request, CodeTools tools, const TemporaryFile& output) {
    const TemporaryFile messages;
    const auto command = nvcc_command(request, tools, output.path());
    if (run_program(command, messages.path(), messages.path()) != 0)
        throw CompilationError(fmt::format("nvcc does not compile {} for architecture {}: {}", request.file,
                                           *request.architecture, first_line(messages.text())));
    if (request.form == CodeForm::ptx) return parse_ptx(output.text());
    request.symbols.clear();
    tools.binary = output.path();
    return dump(request, tools);
}

// Why the code cannot be had; empty when it can.
std::string_view missing(const CodeRequest& request, const CodeTools& tools) {
    if (request.form == CodeForm::sass && tools.cuobjdump.empty()) return kBringsCuobjdump;
    if (tools.nvcc.empty()) return tools.cuobjdump.empty() ? kBringsCuobjdump : kBringsNvcc;
    return {};
}

std::vector<KernelCode> compiled(CodeRequest request, const CodeTools& tools) {
    if (const std::string_view why = missing(request, tools); !why.empty()) throw UnavailableError(std::string(why));
    const fs::path source = tools.sources / request.file;
    if (std::error_code code; !fs::exists(source, code))
        throw UnavailableError(
            fmt::format("this program does not hold that code, and its source {} is not here to be "
                        "compiled: leave --arch out for what it holds",
                        source.string()));
    const TemporaryFile output;
    return compile(std::move(request), tools, output);
}

}  // namespace

CodeTools find_code_tools() {
    std::error_code unknown;
    return {.cuobjdump = find_toolkit_program("cuobjdump"),
            .nvcc = find_toolkit_program("nvcc"),
            .nvdisasm = find_toolkit_program("nvdisasm"),
            .binary = fs::read_symlink("/proc/self/exe", unknown),  // in a child it would be the child
            .sources = LANEWORK_SOURCE_DIR};
}

std::vector<std::string> cuobjdump_command(const CodeRequest& request, const CodeTools& tools) {
    std::vector<std::string> words{tools.cuobjdump.string(), request.form == CodeForm::ptx ? "-ptx" : "-sass"};
    if (request.architecture && request.form == CodeForm::sass)
        words.insert(words.end(), {"-arch", target_of(request)});
    if (!request.symbols.empty() && request.form == CodeForm::sass)
        words.insert(words.end(), {"-fun", fmt::format("{}", fmt::join(request.symbols, ","))});
    words.push_back(tools.binary.string());
    return words;
}

std::vector<std::string> nvcc_command(const CodeRequest& request, const CodeTools& tools, const fs::path& output) {
    const bool ptx = request.form == CodeForm::ptx;
    std::vector<std::string> words{tools.nvcc.string(), "-std=c++20", "-O3", "-DLANEWORK_DEVICE=cuda"};
    std::istringstream options(LANEWORK_CUDA_OPTIONS);
    for (std::string option; options >> option;) words.push_back(option);
    for (const fs::path& folder : {tools.sources, tools.sources / "include"})
        words.insert(words.end(), {"-I", folder.string()});
    words.push_back(
        fmt::format("-arch={}_{}", ptx ? "compute" : "sm", request.architecture.value_or(kAnyArchitecture)));
    words.insert(words.end(),
                 {ptx ? "-ptx" : "-cubin", (tools.sources / request.file).string(), "-o", output.string()});
    return words;
}

Disassembly disassemble(const CodeRequest& request, const CodeTools& tools) {
    if (auto kernels = from_binary(request, tools); !kernels.empty())
        return {std::move(kernels), "code from this program"};
    CodeRequest anew = request;
    anew.architecture = request.architecture.value_or(kAnyArchitecture);
    auto kernels = compiled(anew, tools);
    std::erase_if(kernels, [&](const KernelCode& kernel) {
        return !request.kernel.empty() && !is_kernel(kernel_name(kernel.symbol), request.kernel);
    });
    if (kernels.empty()) throw UnavailableError(fmt::format("{} holds no such kernel", request.file));
    return {std::move(kernels), fmt::format("{}", fmt::join(nvcc_command(anew, tools, "FILE"), " "))};
}

}  // namespace lanework

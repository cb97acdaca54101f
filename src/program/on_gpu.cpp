// nvcc as it stands on the path.
#include "src/program/on_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "src/core/compilation_error.hpp"
#include "src/program/child_process.hpp"
#include "src/program/compiler_messages.hpp"
#include "src/program/toolchain.hpp"

namespace lanework {

std::filesystem::path build_for_gpu(const std::vector<std::string>& words, const std::filesystem::path& folder) {
    if (words.empty()) throw UsageError("name a program: FILE.cu");
    const std::filesystem::path nvcc = find_program("nvcc");
    if (nvcc.empty()) throw UnavailableError("--device cuda builds programs with nvcc, and there is none on the path");
    const std::filesystem::path program = folder / "program";
    std::vector<std::string> command{nvcc.string()};
    command.insert(command.end(), words.begin(), words.end());
    const bool chosen = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word.find("arch") != word.npos || word.find("gencode") != word.npos || word.find("gpu-") != word.npos;
    });
    if (!chosen) command.emplace_back("-arch=native");
    command.insert(command.end(), {"-o", program.string()});
    if (run_program(ChildProcess{.command = command}) != 0)
        throw CompilationError(fmt::format("nvcc does not compile {}", as_user_sees(words.front())));
    return program;
}

}  // namespace lanework

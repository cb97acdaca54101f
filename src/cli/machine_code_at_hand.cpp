#include "src/cli/machine_code_at_hand.hpp"

#include <fmt/format.h>

#include <lanework/error.hpp>
#include <lanework/rung.hpp>
#include <utility>

#include "src/cli/progress.hpp"
#include "src/cli/watched_program.hpp"
#include "src/core/compilation_error.hpp"
#include "src/core/host.hpp"
#include "src/io/file.hpp"
#include "src/profile/compiled_code.hpp"
#include "src/program/ladder/own_ladder.hpp"
#include "src/program/nvcc_options.hpp"

namespace lanework {
namespace {

CodeTools tools_at_hand() {
    CodeTools tools = find_code_tools();
    if (const std::string missing = missing_for_machine_code(tools); !missing.empty()) throw UnavailableError(missing);
    return tools;
}

}  // namespace

MachineCodeAtHand::MachineCodeAtHand(const Context& context, const Gpu& gpu, bool required)
    : context_(context), gpu_(gpu), required_(required) {}

/// What `make` gives; where it throws why there is no code, that is told, and it is nothing.
template <class Make>
auto MachineCodeAtHand::tried(Progress& progress, Make make) -> decltype(make()) {
    std::string reason;
    try {
        return make();
    } catch (const UnavailableError& error) {
        if (required_) throw;
        reason = error.what();
    } catch (const CompilationError& error) {
        if (required_) throw;
        reason = error.what();
    }
    progress.clear();
    if (std::exchange(told_, reason) != reason) context_.hint("lanework: counted as written: " + reason);
    return {};
}

std::vector<MachineCode> MachineCodeAtHand::of(const Rung& rung, Progress& progress) {
    if (!rung.file.ends_with(".cu")) return {};
    return tried(progress, [&] {
        const CodeTools tools = tools_at_hand();
        std::vector<MachineCode> codes;
        if (const OwnRung* const own = own_rung(rung)) {
            ProgramCache cache;
            const NvccSources sources = own->nvcc_sources(cache);
            for (const CodeListing& each : list_machine_code(sources.files, {sources.words, sources.relocatable},
                                                             gpu_.capability, tools, cache_folder()))
                codes.push_back(read_machine_code(each.text));
        } else {
            for (const std::string& file : files_with_kernels(std::string(rung.file), tools))
                codes.push_back(compile_machine_code(file, gpu_.capability, tools, cache_folder()).code);
        }
        return codes;
    });
}

std::vector<std::string> MachineCodeAtHand::of_program(const ProgramCache& cache) {
    Progress progress(context_);
    return tried(progress, [&] {
        const CodeTools tools = tools_at_hand();
        const std::vector<std::filesystem::path> sources = cuda_files_of_program(context_);
        if (sources.empty())
            throw UnavailableError("machine code is compiled from a program's files, and none is named");
        const std::vector<std::string>& build = context_.program.build;
        const CodeWords words{words_about_kernels(build), read_nvcc_options(build).relocatable};
        std::vector<std::string> files;
        progress.show(fmt::format("compiling {} for {}", sources.front().filename().string(), gpu_.title));
        for (const CodeListing& each : list_machine_code(sources, words, gpu_.capability, tools, cache_folder())) {
            files.push_back((cache.temporary() / fmt::format("code-{}.sass", files.size())).string());
            write_file(files.back(), each.text);
        }
        return files;
    });
}

}  // namespace lanework

// lanework cc: nvcc's command line for existing builds, `make NVCC="lanework cc"`.
#include <fmt/format.h>

#include <cstdio>
#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/interrupt.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/watched_program.hpp"
#include "src/program/driver.hpp"

namespace lanework {
namespace {

struct CcCommand {
    /// For the help alone: take_program_words() has taken them.
    std::vector<std::string> words;
    bool observable = false;
};

int run_cc(const CcCommand& command, const Context& context) {
    const BuildRequest request = read_nvcc_options(context.program.build);
    if (request.version) {
        context.print(driver_version());
        return exit_status::good;
    }
    ProgramCache cache;
    const OnInterrupt interrupted([&] { cache.clean(); });
    Build build =
        describe_build(context, request, command.observable ? Instrumentation::complete : Instrumentation::none);
    Progress progress(context, count_sources(request));
    show_stages(build, progress);
    const std::string text = drive(build, cache, request);
    progress.clear();
    if (!text.empty()) context.print(text);
    return exit_status::good;
}

}  // namespace

void add_cc(CLI::App& app, Context& context) {
    auto options = std::make_shared<CcCommand>();
    Command command(app, context, "cc", "Compile and link as nvcc does, for programs that need no GPU");
    command.positionals("FILE.cu...", options->words, "Files and options as for nvcc", false);
    command.flag("--observable", options->observable,
                 "Compile so that `check` and `explain` can watch the program; slower");
    command.examples(
        "  lanework cc main.cu kernels.cu -o app       then ./app, with no GPU\n"
        "  make NVCC=\"lanework cc\"                     a build that calls nvcc\n"
        "  lanework cc -dc -MD -MF part.d part.cu -o part.o\n"
        "\n"
        "Options are nvcc's. Those about a GPU's code (-arch, -gencode, -Xptxas and the like) are accepted, and "
        "nothing\n"
        "follows from them; one that is unknown is named. Exit status 3: it does not compile.");
    command.run([options, &context] { return run_cc(*options, context); });
}

}  // namespace lanework

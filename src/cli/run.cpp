// lanework run: builds a CUDA program and becomes it, with no GPU; or on one, with nvcc.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/interrupt.hpp"
#include "src/cli/selection.hpp"
#include "src/cli/watched_program.hpp"
#include "src/gpu/gpus.hpp"
#include "src/machine/missing_gpu.hpp"
#include "src/program/child_process.hpp"
#include "src/program/debugging.hpp"
#include "src/program/on_gpu.hpp"
#include "src/program/run_settings.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

struct RunCommand {
    /// For the help alone: take_program_words() has taken them.
    std::vector<std::string> words;
    std::string device, gpu, call;
    int threads = 0, devices = 0;
    bool gdb = false;
    std::vector<std::string> breaks;
    int stops = 0;
};

std::vector<std::string> command_of(const fs::path& program, const Context& context) {
    std::vector<std::string> command{program.string()};
    command.insert(command.end(), context.program.arguments.begin(), context.program.arguments.end());
    return command;
}

std::vector<std::string> environment_of(const RunCommand& command) {
    std::vector<std::string> variables;
    if (!command.gpu.empty()) variables.push_back(fmt::format("{}={}", kGpuVariable, parse_gpu(command.gpu).name));
    if (command.devices > 1) variables.push_back(fmt::format("{}={}", kDevicesVariable, command.devices));
    if (command.threads > 0) variables.push_back(fmt::format("LANEWORK_SIMT_THREADS={}", command.threads));
    return variables;
}

void refuse_beside_gdb(const RunCommand& command) {
    if (command.device == "cuda")
        throw UsageError("--gdb and --break are for simt; on a GPU there is NVIDIA's cuda-gdb");
    if (command.threads > 0) throw UsageError("--threads: under gdb one thread of this machine does the work");
    if (command.gdb && command.stops > 0) throw UsageError("--stops is for --break without --gdb");
}

/// Builds the program for gdb and becomes gdb.
int debug_run(const RunCommand& command, Context& context, const std::vector<std::string>& variables) {
    refuse_beside_gdb(command);
    DebuggedRun run{.command = {}, .environment = variables, .breaks = {}, .prompt = command.gdb};
    for (const std::string& text : command.breaks) run.breaks.push_back(read_break(text));
    if (command.stops > 0) run.stops = command.stops;
    const fs::path gdb = find_gdb();
    // Nothing is optimised: every line and variable is there.
    std::vector<std::string>& words = context.program.build;
    if (std::ranges::any_of(words, [](const std::string& word) { return is_source(word, ""); }))
        words.emplace_back("-G");
    fs::path program;
    {
        ProgramCache cache;
        call_in_place_of_main(context, cache, command.call);
        const OnInterrupt interrupted([&] { cache.clean(); });
        program = find_or_build(context, cache, Instrumentation::none);
        if (!cache.kept())
            throw UnavailableError(
                "there is no cache folder to keep the program in while gdb runs it: let XDG_CACHE_HOME name one that "
                "can be "
                "written");
    }
    run.command = command_of(program, context);
    become_debugger(gdb, find_device_headers(), run);
}

/// nvcc builds without a GPU, too, and the program's calls would fail one after the other.
void require_gpu() {
    const GpuTraces found = look_around("/");
    if (!found.device_nodes && !found.windows_subsystem && !found.driver_library)
        throw UnavailableError("--device cuda: " + why_no_gpu(found));
}

int run_run(const RunCommand& command, Context& context) {
    const std::vector<std::string> variables = environment_of(command);
    if (command.gdb || !command.breaks.empty()) return debug_run(command, context, variables);
    if (command.stops > 0) throw UsageError("--stops is for --break");
    ProgramCache cache;
    const OnInterrupt interrupted([&] { cache.clean(); });
    call_in_place_of_main(context, cache, command.call);
    if (command.device == "cuda") {
        require_gpu();
        const fs::path program = build_for_gpu(context.program.build, cache.temporary());
        return run_program({.command = command_of(program, context)});
    }
    const fs::path program = find_or_build(context, cache, Instrumentation::none);
    if (!cache.kept()) return run_program({.command = command_of(program, context), .environment = variables});
    cache.clean();
    become_program(command_of(program, context), variables);
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<RunCommand>();
    Command command(app, context, "run", "Run a CUDA program of your own, with no GPU");
    command.positionals("FILE.cu...", options->words,
                        "Files and options as for nvcc; behind --, the program's own arguments", false);
    command.option("--call", options->call, "STATEMENTS", kCallHelp);
    command.choice("--device", options->device, {"simt", "cuda"}, "Where: simt needs no GPU, cuda one and nvcc (simt)");
    command.option("--gpu", options->gpu, "NAME", gpu_help("The GPU that simt stands for"));
    command.option("--devices", options->devices, kDevicesHelp, kMostDevices);
    command.option("--threads", options->threads, "Threads of this machine that do the work (all)", 4096);
    command.flag("--gdb", options->gdb, "Under gdb, with the lines and variables of the kernels");
    command.list(
        "--break", options->breaks, "PLACE",
        "Stop at KERNEL, KERNEL:LINE or FILE:LINE, of one thread with @block(1,0),thread(3); without --gdb: show "
        "what is there, and go on");
    command.option("--stops", options->stops, "How many stops of each --break are shown without --gdb (10)");
    command.examples(
        "  lanework run saxpy.cu                       build it and run it\n"
        "  lanework run main.cu kernels.cu -O3 -Iinclude -lm -- 1000 input.txt\n"
        "  lanework run saxpy.cu --call 'saxpy<<<4, 256>>>(random(1024), ones(1024), 2)'   a kernel without a program\n"
        "  lanework run saxpy.cu --gpu rtx4090         what cudaGetDeviceProperties then says\n"
        "  lanework run saxpy.cu --gdb                 under gdb; `print threadIdx`, `lanework threads`\n"
        "  lanework run saxpy.cu --break 'saxpy:7@thread(3)'   its variables at line 7\n"
        "\n"
        "Files and options are nvcc's; what follows -- are the program's own arguments. Its output, its input and its "
        "exit\n"
        "status are its own. What was built is kept in the user's cache folder. Exit status 3: it does not compile.");
    command.run([options, &context] { return run_run(*options, context); });
}

}  // namespace lanework

// Between the command line and src/program.
#include "src/cli/watched_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <future>
#include <lanework/error.hpp>

#include "src/cli/interrupt.hpp"
#include "src/cli/progress.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// How long a program may take to end by a signal that it was sent.
constexpr auto kPatience = std::chrono::seconds(2);
/// How long the signal may have been on its way to the program already: a terminal sends it to both.
constexpr auto kSentToBoth = std::chrono::milliseconds(200);

bool is_program(const std::string& file) {
    std::error_code error;
    const std::string extension = fs::path(file).extension().string();
    return extension != ".o" && extension != ".a" && extension != ".so" && !is_source(file, "") &&
           fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

/// Hands a signal on to the program, and waits until the report is made of what it had found.
class SignalledProgram {
public:
    void running(int process) { process_ = process; }
    void reported() { done_.set_value(); }

    void end() {
        const auto reported = done_.get_future();
        for (const int signal : {0, SIGTERM, SIGKILL}) {
            if (const int process = process_; signal != 0 && process != 0) kill(process, signal);
            if (reported.wait_for(signal == 0 ? kSentToBoth : kPatience) == std::future_status::ready) return;
        }
    }

private:
    std::atomic<int> process_{0};
    std::promise<void> done_;
};

}  // namespace

Build describe_build(const Context& context, const BuildRequest& request, Instrumentation instrumentation) {
    Build build{.toolchain = find_toolchain(request.compiler),
                .instrumentation = instrumentation,
                .native = false,
                .for_this_process = false,
                .colour = context.err.style.colour,
                .tell = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); },
                .tell_command = {}};
    if (request.verbose)
        build.tell_command = [](const std::vector<std::string>& words) {
            fmt::print(stderr, "{}\n", fmt::join(words, " "));
        };
    return build;
}

fs::path find_or_build(const Context& context, ProgramCache& cache, Instrumentation instrumentation) {
    const std::vector<std::string>& words = context.program.build;
    if (words.empty()) throw UsageError("name a program: FILE.cu, or one that `lanework cc` built");
    if (words.size() == 1 && is_program(words.front())) return fs::absolute(words.front());
    const BuildRequest request = read_nvcc_options(words);
    if (request.stage != BuildRequest::Stage::link || request.shared || !request.output.empty())
        throw UsageError("this command builds a program and runs it; `lanework cc` makes objects and libraries");
    Build build = describe_build(context, request, instrumentation);
    build.native = instrumentation == Instrumentation::none;
    Progress progress(context);
    build.tell = [tell = build.tell, &progress](std::string_view text) {
        progress.clear();
        tell(text);
    };
    progress.show("building " + program_title(context));
    return build_program(build, cache, request);
}

fs::path build_to_watch(const Context& context) {
    ProgramCache cache;
    const OnInterrupt interrupted([&] { cache.clean(); });
    fs::path program = find_or_build(context, cache, Instrumentation::complete);
    if (!cache.kept()) throw UnavailableError("there is no cache folder to keep the program in while it is watched");
    return program;
}

std::string program_title(const Context& context) {
    for (const std::string& word : context.program.build)
        if (!word.starts_with("-")) return word;
    return "program";
}

WatchedOutcome watch_program(const Context& context, WatchedRun run,
                             const std::function<void(const WatchedOutcome&, const WatchedRun&)>& report) {
    const ProgramCache cache;  // its temporary folder
    run.folder = cache.temporary();
    run.arguments = context.program.arguments;
    SignalledProgram program;
    run.running = [&](int process) { program.running(process); };
    const OnInterrupt interrupted([&] {
        program.end();
        cache.clean();
    });
    const WatchedOutcome outcome = run_watched(run);
    report(outcome, run);
    program.reported();
    return outcome;
}

void require_instrumented(const Context& context, const WatchedOutcome& outcome) {
    if (outcome.ended && !outcome.instrumented && outcome.launches > 0)
        throw UnavailableError(fmt::format("{} was not compiled to be watched: `lanework cc --observable` does that",
                                           program_title(context)));
}

void require_explained(const Context& context, const WatchedOutcome& outcome, const WatchSettings& settings) {
    require_instrumented(context, outcome);
    if (outcome.explained > 0) return;
    if (outcome.launches == 0) throw UnavailableError(fmt::format("{} launched no kernel", program_title(context)));
    throw UnavailableError(fmt::format(
        "{} has no launch {}{} to explain; it launched {} kernels {} times", program_title(context), settings.launch,
        settings.kernel.empty() ? "" : " of " + settings.kernel, outcome.kernels, outcome.launches));
}

}  // namespace lanework

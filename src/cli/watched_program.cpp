// Between the command line and src/program.
#include "src/cli/watched_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <future>
#include <lanework/error.hpp>
#include <mutex>
#include <thread>

#include "src/cli/interrupt.hpp"
#include "src/cli/progress.hpp"
#include "src/program/call.hpp"
#include "src/program/digest.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// How long a program may take to end by a signal that it was sent.
constexpr auto kPatience = std::chrono::seconds(2);
/// How long the signal may have been on its way to the program already: a terminal sends it to both.
constexpr auto kSentToBoth = std::chrono::milliseconds(200);
/// After which somebody wonders whether anything happens.
constexpr auto kLate = std::chrono::seconds(2);

bool is_program(const std::string& file) {
    std::error_code error;
    const std::string extension = fs::path(file).extension().string();
    return extension != ".o" && extension != ".a" && extension != ".so" && !is_source(file, "") &&
           fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

/// Says once that a program takes long, where somebody waits at a terminal. A line that is drawn anew would mix with
/// what the program prints.
class LateHint {
public:
    LateHint(const Context& context, std::string text) {
        if (context.err.terminal)
            waiting_ = std::thread([this, &context, text = std::move(text)] { wait(context, text); });
    }
    LateHint(const LateHint&) = delete;
    LateHint& operator=(const LateHint&) = delete;
    ~LateHint() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        ends_.notify_all();
        if (waiting_.joinable()) waiting_.join();
    }

private:
    void wait(const Context& context, const std::string& text) {
        std::unique_lock lock(mutex_);
        if (!ends_.wait_for(lock, kLate, [this] { return over_; })) context.hint(text);
    }

    std::mutex mutex_;
    std::condition_variable ends_;
    bool over_ = false;
    std::thread waiting_;
};

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
                .tell_stage = {},
                .tell_command = {}};
    // NVIDIA's headers are not a program's, where a program brings them, too.
    for (const std::filesystem::path& folder : include_folders(request))
        if (const auto brought = cccl_in(folder); !brought.empty()) {  // the first, as a compiler takes it
            build.toolchain.cccl = brought;
            break;
        }
    if (request.verbose)
        build.tell_command = [](const std::vector<std::string>& words) {
            fmt::print(stderr, "{}\n", fmt::join(words, " "));
        };
    return build;
}

void call_in_place_of_main(Context& context, const ProgramCache& cache, const std::string& statements) {
    if (statements.empty()) return;
    const std::vector<fs::path> files = cuda_files_of_program(context);
    if (files.empty()) throw UsageError(kCallNeedsAFile);
    const std::string file = files.front().string();
    if (std::error_code error; !fs::is_regular_file(file, error))
        throw FileError(fmt::format("{}: there is no such file", file));
    ProgramWords& program = context.program;
    program.title = program_title(context);
    const std::string text = program_that_calls(file, statements);
    const fs::path made = cache.place(kCalls, Digest().add(text).text(), "call.cu");
    cache.write(made, text);
    std::ranges::replace(program.build, file, made.string());
}

std::size_t count_sources(const BuildRequest& request) {
    std::size_t sources = 0;
    for (std::size_t i = 0; i < request.inputs.size(); ++i)
        sources += is_source(request.inputs[i], request.languages[i]);
    return sources;
}

void show_stages(Build& build, Progress& progress) {
    build.tell = [tell = build.tell, &progress](std::string_view text) {
        progress.clear();
        tell(text);
    };
    build.tell_stage = [&progress, compiled = false](std::string_view stage) mutable {
        if (compiled) progress.step();
        compiled = stage.starts_with("compiling");
        progress.show(stage);
    };
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
    Progress progress(context, count_sources(request));
    show_stages(build, progress);
    return build_program(build, cache, request);
}

fs::path build_to_watch(const Context& context, ProgramCache& cache) {
    const OnInterrupt interrupted([&] { cache.clean(); });
    return find_or_build(context, cache, Instrumentation::complete);
}

std::vector<fs::path> cuda_files_of_program(const Context& context) {
    const std::vector<std::string>& words = context.program.build;
    std::vector<fs::path> files;
    if (words.size() == 1 && is_program(words.front())) return files;
    const BuildRequest request = read_nvcc_options(words);
    for (std::size_t i = 0; i < request.inputs.size(); ++i)
        if (request.languages[i] == "cu" || (request.languages[i].empty() && is_cuda_file(request.inputs[i])))
            files.emplace_back(request.inputs[i]);
    return files;
}

std::string program_title(const Context& context) {
    if (!context.program.title.empty()) return context.program.title;
    const std::vector<std::string>& words = context.program.build;
    if (words.size() == 1) return words.front();
    const BuildRequest request = read_nvcc_options(words);
    // The first that is a file: inputs are in the order in which they are linked, options for libraries (-lm) among
    // them.
    const auto file = std::ranges::find_if(request.inputs, [](const auto& each) { return !each.starts_with('-'); });
    return file == request.inputs.end() ? "program" : *file;
}

WatchedOutcome watch_program(const Context& context, const ProgramCache& cache, WatchedRun run,
                             const std::function<void(const WatchedOutcome&, const WatchedRun&)>& report) {
    run.folder = cache.temporary();
    run.arguments = context.program.arguments;
    SignalledProgram program;
    run.running = [&](int process) { program.running(process); };
    const OnInterrupt interrupted([&] {
        program.end();
        cache.clean();
    });
    const WatchedOutcome outcome = [&] {
        const LateHint hint(context,
                            fmt::format("lanework: every access of {} is watched, which takes long; Ctrl-C ends "
                                        "it and shows what was found",
                                        program_title(context)));
        Progress progress(context, static_cast<std::size_t>(run.schedules));
        run.schedule_begins = [&](int drawn) {
            if (drawn > 1) progress.step();
            progress.show(fmt::format("schedule {}", drawn));
        };
        return run_watched(run);
    }();
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
    const auto count = [](std::uint64_t number, std::string_view singular, std::string_view plural) {
        return fmt::format("{} {}", number, number == 1 ? singular : plural);
    };
    throw UnavailableError(fmt::format("{} has no launch {}{} to explain; it launched {} {}", program_title(context),
                                       settings.launch, settings.kernel.empty() ? "" : " of " + settings.kernel,
                                       count(outcome.kernels, "kernel", "kernels"),
                                       count(outcome.launches, "time", "times")));
}

}  // namespace lanework

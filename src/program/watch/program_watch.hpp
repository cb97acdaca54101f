// Watching the program that this library is loaded into: its launches are traced, and what they show is written where
// the environment asks for it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/io/json.hpp"
#include "src/program/watch/launch_counts.hpp"
#include "src/program/watch_settings.hpp"
#include "src/trace/record/hazards.hpp"
#include "src/trace/record/stream_order.hpp"
#include "src/trace/record/tracer.hpp"

namespace lanework {

/// Whether some code of the program was compiled for watching: its instrumentation has introduced itself.
bool has_instrumented_code();

/// It watches from its construction to the program's end; one for the process, never destroyed.
class ProgramWatch {
public:
    explicit ProgramWatch(WatchSettings settings);
    ProgramWatch(const ProgramWatch&) = delete;
    ProgramWatch& operator=(const ProgramWatch&) = delete;

    /// What is left to write when the program ends.
    void finish();
    /// What is left behind the program's own destructors: leaks, and the summary of a program that launched nothing.
    void finish_last();
    /// Whether the launch that was asked about last is watched.
    bool watched_last() const { return watched_last_; }
    bool checks() const { return settings_.task == WatchSettings::Task::check; }
    /// For a signal's handler, while a launch runs: true where what that launch showed until now will be told, and the
    /// process ended by the signal then. False once it is told: nothing is lost by a signal that ends it at once.
    bool ends_soon_by(int signal);
    /// Whether it was true of a signal.
    bool is_ending() const { return ending_ != 0; }

private:
    bool wants(const lanework_simt::Launch& launch);
    bool time_is_over() const;
    bool follows(const LaunchShape& shape, std::uint64_t begun);
    void tell_counts();
    void tell_left_out();
    void tell_progress(const LaunchShape& shape, std::uint64_t begun);
    void end_early(std::string_view kernel, std::uint64_t begun, std::uint64_t blocks);
    void end_later();
    void launch_ended();
    void launch_refused(const lanework_simt::Launch& launch, std::string_view reason);
    void host_went_wrong(Finding finding);
    void copied_home(const lanework_simt::StreamCopy& copy);
    void add_leaks();
    void tell_hazards();
    std::vector<Finding> all_findings() const;
    void append_line(std::string_view line) const;
    void append(std::span<const Finding> findings) const;
    void append_summary();
    Json counts();
    Explanation explanation();
    void write_explanation(bool with_pictures);
    void print_findings();

    WatchSettings settings_;
    int process_;
    Hazards hazards_;
    RepeatedLaunches repeated_;
    HostMemory host_memory_;
    StreamOrder stream_order_;
    /// Of the program's files, for the tracer.
    std::vector<MachineCode> codes_;
    Tracer tracer_;
    /// Hazards that hazard_findings_ has.
    std::size_t told_ = 0;
    /// That the host was given bytes which nobody wrote.
    bool told_fresh_ = false;
    bool watched_last_ = false;
    /// A launch is watched that has not told all that it showed.
    std::atomic<bool> has_untold_{false};
    LaunchCounts counts_;
    std::vector<KernelTrace> traces_;
    /// Of all hazards until now, and all others.
    std::vector<Finding> hazard_findings_, findings_;
    bool ends_later_ = false;
    /// The signal that the process is to end by; 0: none came.
    std::atomic<int> ending_{0};
    using Clock = std::chrono::steady_clock;
    Clock::time_point began_ = Clock::now();
    /// When it is said next how far a check is, in seconds.
    std::chrono::seconds next_progress_;
    /// The process that has told that something was left out: a forked child tells for itself.
    int told_left_out_by_ = 0;
};

}  // namespace lanework

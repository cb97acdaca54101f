// A timeline: what the engines of a device did, when, and for which stream; and what follows from that alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// What works at the same time as the others.
enum class Engine : std::uint8_t {
    upload,    ///< copies from the host
    kernel,    ///< the multiprocessors
    download,  ///< copies to the host
    memset,    ///< fills of device memory
    copy,      ///< copies within the device, or from one to another
};
inline constexpr std::array kEngines{Engine::upload, Engine::kernel, Engine::download, Engine::memset, Engine::copy};
/// "upload", "kernel", "download", "memset", "copy".
std::string_view name_of(Engine engine);

/// One piece of work. Times are seconds since the first one began.
struct Span {
    Engine engine = Engine::kernel;
    /// The kernel's name; of a copy the kind of host memory: "pinned", "pageable".
    std::string name;
    /// From 1, in the order in which streams were first used.
    int stream = 1;
    double begin_s = 0, end_s = 0;
    /// That a copy or a fill moved; of a modelled kernel those that its time follows from.
    std::uint64_t bytes = 0;

    double seconds() const { return end_s - begin_s; }
};

/// A call of the host that takes time, or that waits for the device. Between them it is free for work of its own.
struct HostSpan {
    bool waits = false;
    /// Of the function that was called; empty where nobody knows.
    std::string name;
    double begin_s = 0, end_s = 0;
};

enum class TimelineSource : std::uint8_t {
    recorded,  ///< by the GPU's own clock
    modelled,  ///< computed from declared speeds: no measurement
};
/// "recorded", "modelled".
std::string_view name_of(TimelineSource source);

struct Timeline {
    TimelineSource source = TimelineSource::modelled;
    /// Whose speeds, or which recorder: "declared speeds of an NVIDIA H200 SXM: …", "CUPTI 13.0".
    std::string by;
    /// By begin, then stream. Those of one engine may overlap.
    std::vector<Span> spans;
    /// What the spans do not show, in one sentence each.
    std::vector<std::string> notes;
    /// Calls that hand over work and waits for it, by begin; without the wait for the end of all, behind which nothing
    /// is handed over.
    std::vector<HostSpan> host = {};
    /// Whether `host` is known, though it may be empty.
    bool host_is_known = false;
};

/// From `begin_s` to `end_s`.
struct Interval {
    double begin_s, end_s;

    double seconds() const { return end_s - begin_s; }
    bool operator==(const Interval&) const = default;
};

/// Makes the first span begin at 0, sorts them, and numbers their streams in the order of first use. Of the host what
/// lies between the first begin and the last end is kept.
void normalise(Timeline& timeline);

/// From the first begin to the last end, in seconds; 0 without spans.
double length_s(const Timeline& timeline);
/// When the engine worked: disjoint, in order.
std::vector<Interval> busy_intervals(const Timeline& timeline, Engine engine);
/// Seconds in which the engine worked on anything.
double busy_s(const Timeline& timeline, Engine engine);
/// When the host was busy with calls or waited: disjoint, in order.
std::vector<Interval> host_busy(const Timeline& timeline);
/// Seconds of the whole in which it was not.
double host_free_s(const Timeline& timeline);
/// When the engine waited between its own first and last work: disjoint, in order.
std::vector<Interval> gaps(const Timeline& timeline, Engine engine);
/// The engine that worked longest; none without spans.
std::optional<Engine> critical_engine(const Timeline& timeline);
/// The critical engine's seconds ÷ those of the whole: 1 when it never waits. 0 without spans.
double overlap_efficiency(const Timeline& timeline);
/// 0 without spans.
int stream_count(const Timeline& timeline);

}  // namespace lanework

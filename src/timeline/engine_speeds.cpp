// Names, units and defaults of the declared speeds.
#include "src/timeline/engine_speeds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <lanework/error.hpp>
#include <vector>

#include "src/core/text.hpp"
#include "src/gpu/page_faults.hpp"

namespace lanework {
namespace {

constexpr double kGigabytes = 1e9, kMicroseconds = 1e-6;
// What datasheets do not say: one host thread's copy into page-locked memory, and the least time of a kernel and of a
// copy on an engine.
constexpr double kPageable = 10 * kGigabytes, kLaunch = 2 * kMicroseconds, kCopy = 1 * kMicroseconds;

struct Name {
    std::string_view name;
    double EngineSpeeds::*value;
    double unit;
};
constexpr Name kNames[] = {
    {"upload", &EngineSpeeds::upload, kGigabytes},      {"download", &EngineSpeeds::download, kGigabytes},
    {"pageable", &EngineSpeeds::pageable, kGigabytes},  {"memory", &EngineSpeeds::memory, kGigabytes},
    {"launch", &EngineSpeeds::launch_s, kMicroseconds}, {"copy", &EngineSpeeds::copy_s, kMicroseconds},
    {"call", &EngineSpeeds::call_s, kMicroseconds}};
constexpr std::string_view kLink = "link", kCopyEngines = "copy-engines";

[[noreturn]] void reject(std::string_view word) {
    std::vector<std::string_view> names{kLink};
    for (const Name& each : kNames) names.push_back(each.name);
    throw UsageError(
        fmt::format("--speeds `{}` is not NAME=NUMBER with one of the names {} (in GB/s; launch, copy and call in µs) "
                    "or {}=1 or 2",
                    word, fmt::join(names, ", "), kCopyEngines));
}

double number_of(std::string_view text, std::string_view word) {
    double value = 0;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stopped != text.data() + text.size() || !std::isfinite(value) || value < 0)
        reject(word);
    return value;
}

void change(EngineSpeeds& speeds, std::string_view word) {
    const auto equals = word.find('=');
    if (equals == word.npos) reject(word);
    const std::string_view name = word.substr(0, equals);
    const double value = number_of(word.substr(equals + 1), word);
    if (name == kCopyEngines) {
        if (value != 1 && value != 2) reject(word);
        speeds.copy_engines = static_cast<int>(value);
        return;
    }
    // A bandwidth of nothing would take for ever; a time may be nothing.
    const auto require_above_0 = [&] {
        if (value == 0) throw UsageError(fmt::format("--speeds `{}`: a bandwidth is above 0 GB/s", word));
    };
    if (name == kLink) {
        require_above_0();
        speeds.upload = speeds.download = value * kGigabytes;
        return;
    }
    const Name* const found = std::ranges::find(kNames, name, &Name::name);
    if (found == std::end(kNames)) reject(word);
    if (found->unit == kGigabytes) require_above_0();
    speeds.*found->value = value * found->unit;
}

}  // namespace

double EngineSpeeds::seconds_of(const StreamTask& task) const {
    const auto bytes = static_cast<double>(task.bytes);
    switch (task.engine) {
        case Engine::upload: return copy_s + bytes / (task.pageable ? std::min(pageable, upload) : upload);
        case Engine::download: return copy_s + bytes / (task.pageable ? std::min(pageable, download) : download);
        case Engine::memset: return launch_s + bytes / memory;
        case Engine::copy: return launch_s + 2 * bytes / memory;  // read and written
        case Engine::kernel: break;
    }
    const auto over_link = [&](std::uint64_t moved, double rate) {
        return moved == 0 ? 0 : static_cast<double>(moved) / (mapped > 0 ? std::min(mapped, rate) : rate);
    };
    const double own = task.seconds > 0 ? task.seconds : launch_s + bytes / (memory * share_of(task));
    const double start = task.seconds > 0 ? 0 : launch_s;
    double pages = 0;
    const auto faulted = static_cast<double>(task.faulted);
    pages += page_faults ? std::max(page_fault_seconds(faulted), faulted / upload) : faulted / upload;
    if (task.fetched != 0) pages += static_cast<double>(task.fetched) / upload;
    return pages + std::max({own, start + over_link(task.read_over_link, upload),
                             start + over_link(task.written_over_link, download)});
}

double EngineSpeeds::share_of(const StreamTask& task) const {
    if (task.engine != Engine::kernel || task.blocks == 0 || sms == 0) return 1;
    return std::min(1.0, static_cast<double>(task.blocks) / sms);
}

EngineSpeeds published_speeds(const Gpu& gpu) {
    return {.gpu = std::string(gpu.title),
            .upload = gpu.link_bandwidth,
            .download = gpu.link_bandwidth,
            .pageable = kPageable,
            .memory = gpu.memory_bandwidth,
            .launch_s = kLaunch,
            .copy_s = kCopy,
            .call_s = 0,
            .copy_engines = 2,
            .sms = gpu.sms};
}

EngineSpeeds measured_speeds(const Gpu& gpu) {
    // results/h200/overlap.json: 16 kernels of 0.85 µs take 35 µs in one stream, and 72 µs where every one waits for
    // another stream's; transfer-upload.json: mapped memory against the copy engine.
    constexpr double kCall = 2 * kMicroseconds, kWait = 2.5 * kMicroseconds, kNext = 1.3 * kMicroseconds,
                     kMapped = 0.93;
    EngineSpeeds speeds = published_speeds(gpu);
    speeds.call_s = kCall;
    speeds.wait_s = kWait;
    speeds.launch_s = kNext;  // as the model of time has it for a further launch
    speeds.page_faults = true;
    speeds.mapped = kMapped * speeds.upload;
    return speeds;
}

EngineSpeeds parse_speeds(std::string_view text, EngineSpeeds speeds) {
    while (!text.empty()) {
        const auto comma = text.find(',');
        change(speeds, text.substr(0, comma));
        text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
    }
    if (!(speeds.upload > 0 && speeds.download > 0))
        throw UsageError(
            fmt::format("no source says how fast the link of an {} is; declare it: --speeds link=GB/s", speeds.gpu));
    return speeds;
}

std::string describe(const EngineSpeeds& speeds) {
    return fmt::format(
        "declared speeds of an {}: upload {}, download {}, pageable {}, memory {}, {} to start a kernel and {} a copy, "
        "{} for a call, {} copy engine{}",
        speeds.gpu, format_bandwidth(speeds.upload), format_bandwidth(speeds.download),
        format_bandwidth(speeds.pageable), format_bandwidth(speeds.memory), format_seconds(speeds.launch_s),
        format_seconds(speeds.copy_s), format_seconds(speeds.call_s), speeds.copy_engines,
        speeds.copy_engines == 1 ? "" : "s");
}

}  // namespace lanework

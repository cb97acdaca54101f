// What mending the order and the memory of work in streams would save: the work as it would be, timed by the model of
// streams beside the work as it is.
#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

#include "src/gpu/memory_units.hpp"
#include "src/timeline/in_order_model.hpp"
#include "src/trace/analyse/estimate.hpp"
#include "src/trace/rules/rules.hpp"

namespace lanework {
namespace {

constexpr double kSerious = 0.10;

/// The task that wrote each sector last.
class Writers {
public:
    static constexpr std::uint32_t kNobody = 0xffffffff;

    std::uint32_t of(std::uint64_t sector) const {
        const auto page = pages_.find(sector / kPageSectors);
        return page == pages_.end() ? kNobody : page->second[sector % kPageSectors];
    }
    void set(std::uint64_t sector, std::uint32_t task) {
        std::vector<std::uint32_t>& page = pages_[sector / kPageSectors];
        if (page.empty()) page.assign(kPageSectors, kNobody);
        page[sector % kPageSectors] = task;
    }

private:
    static constexpr std::uint64_t kPageSectors = 4096;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> pages_;
};

/// Follows the tasks in their order.
class Dependencies {
public:
    explicit Dependencies(StreamInputs& inputs) : in_(inputs) {
        in_.reads.resize(in_.trace.work.tasks.size());
        in_.rewrites.resize(in_.reads.size());
        for (std::size_t task = 0; task < in_.reads.size(); ++task) follow(task);
    }

private:
    void follow(std::size_t task) {
        const StreamTask& about = in_.trace.work.tasks[task];
        if (known_since_ > 0) add(in_.reads[task], known_since_ - 1);
        if (about.engine != Engine::kernel) {
            if (about.prefetches) return wrote(about.to, about.span, task, {.keeps = true});
            read(about.from, about.span, task);
            return wrote(about.to, about.span, task, {.keeps = false});
        }
        const std::shared_ptr<const TouchedMemory> touched = touched_by(task);
        if (!touched) {
            for (std::size_t earlier = known_since_; earlier < task; ++earlier) add(in_.reads[task], earlier);
            known_since_ = task + 1;
            return;
        }
        touched->read.each([&](std::uint64_t sector) { depend(in_.reads[task], writers_.of(sector)); });
        touched->written.each([&](std::uint64_t sector) { depend(in_.rewrites[task], writers_.of(sector)); });
        touched->written.each([&](std::uint64_t sector) { writers_.set(sector, static_cast<std::uint32_t>(task)); });
    }

    std::shared_ptr<const TouchedMemory> touched_by(std::size_t task) const {
        const auto launch = in_.trace.launches[task];
        return launch && *launch < in_.explanation.kernels.size() ? in_.explanation.kernels[*launch].touched : nullptr;
    }

    static void add(std::vector<std::size_t>& list, std::size_t task) {
        if (std::ranges::find(list, task) == list.end()) list.push_back(task);
    }
    static void depend(std::vector<std::size_t>& list, std::uint32_t writer) {
        if (writer != Writers::kNobody && (list.empty() || list.back() != writer)) add(list, writer);
    }
    void read(std::uint64_t address, std::uint64_t bytes, std::size_t task) {
        if (address == 0) return;
        for (std::uint64_t sector = address / kSectorBytes; sector * kSectorBytes < address + bytes; ++sector)
            depend(in_.reads[task], writers_.of(sector));
    }
    /// Sending pages keeps what they hold: who reads them waits for it and for who wrote them.
    struct Writing {
        bool keeps;
    };
    void wrote(std::uint64_t address, std::uint64_t bytes, std::size_t task, Writing how) {
        if (address == 0) return;
        if (how.keeps) read(address, bytes, task);
        for (std::uint64_t sector = address / kSectorBytes; sector * kSectorBytes < address + bytes; ++sector)
            writers_.set(sector, static_cast<std::uint32_t>(task));
    }

    StreamInputs& in_;
    Writers writers_;
    /// Every task from here on is known.
    std::size_t known_since_ = 0;
};

double growth_of(std::uint64_t timed, std::uint64_t traced) {
    return traced == 0 ? 1 : std::max(1.0, static_cast<double>(timed) / static_cast<double>(traced));
}

std::uint64_t grown(std::uint64_t bytes, double growth) {
    return static_cast<std::uint64_t>(static_cast<double>(bytes) * growth);
}

/// The bytes of the problem that is timed, where the traced one is a slice of it.
void stretch(StreamWork& work, const Explanation& explanation) {
    if (!explanation.timed) return;
    const Work &traced = explanation.work, &timed = *explanation.timed;
    const double up = growth_of(timed.bytes_uploaded, traced.bytes_uploaded);
    const double down = growth_of(timed.bytes_downloaded, traced.bytes_downloaded);
    const double moved = growth_of(timed.bytes(), traced.bytes());
    for (StreamTask& task : work.tasks) {
        const double own = task.engine == Engine::upload ? up : task.engine == Engine::download ? down : moved;
        task.bytes = grown(task.bytes, own > 1 ? own : moved);
        for (std::uint64_t StreamTask::*const over :
             {&StreamTask::read_over_link, &StreamTask::written_over_link, &StreamTask::faulted})
            task.*over = grown(task.*over, std::max({up, down, moved}));
    }
}

/// Kernels take what the model of kernels says, and one that was not traced as much as a traced launch of the same.
void time_kernels(StreamWork& work, const StreamTrace& trace, std::span<const Demand> demands, const Gpu& gpu,
                  const EngineSpeeds& speeds) {
    const TimeParameters parameters;
    std::map<std::string, std::pair<double, std::uint64_t>> known;
    for (std::size_t i = 0; i < work.tasks.size(); ++i) {
        StreamTask& task = work.tasks[i];
        if (task.engine != Engine::kernel || !trace.launches[i] || *trace.launches[i] >= demands.size()) continue;
        const Demand& demand = demands[*trace.launches[i]];
        // What starting takes is the host's and the engine's here.
        task.seconds = time_of({&demand, 1}, gpu).seconds - parameters.first_launch + speeds.launch_s;
        known[task.name] = {task.seconds, std::max<std::uint64_t>(1, task.blocks)};
        task.blocks = static_cast<std::uint64_t>(std::max(1.0, demand.blocks));
    }
    for (StreamTask& task : work.tasks) {
        const auto same = known.find(task.name);
        if (task.engine != Engine::kernel || task.seconds > 0 || same == known.end()) continue;
        const auto& [seconds, blocks] = same->second;
        task.seconds = speeds.launch_s +
                       (seconds - speeds.launch_s) * static_cast<double>(task.blocks) / static_cast<double>(blocks);
    }
}

void judge(Finding& finding, const StreamInputs& in, double saved) {
    finding.gain = finding.weight = saved / in.seconds;
    finding.of_streams = true;
    finding.time_s = in.seconds;
    finding.time_without_s = in.seconds - saved;
    finding.severity = *finding.gain >= kSerious ? Severity::warning : Severity::advice;
}

/// What is a part of the kernels' time becomes the same part of a longer one, so that all findings have one order.
void weigh_in(std::vector<Finding>& findings, double kernels_s, double all_s) {
    for (Finding& finding : findings)
        if (!finding.error()) finding.weight *= std::min(1.0, kernels_s / all_s);
}

}  // namespace

std::vector<std::size_t> StreamInputs::needs(std::size_t task) const {
    std::vector<std::size_t> all = reads[task];
    for (const std::size_t other : rewrites[task])
        if (std::ranges::find(all, other) == all.end()) all.push_back(other);
    return all;
}

void find_in_streams(const Explanation& explanation, const Gpu& gpu, std::vector<Finding>& findings) {
    if (!explanation.streams || gpu.link_bandwidth <= 0) return;
    const StreamTrace& trace = *explanation.streams;
    const EngineSpeeds speeds = measured_speeds(gpu);
    StreamWork work = trace.work;
    stretch(work, explanation);
    const std::vector<Demand> demands = demands_of(explanation, gpu);
    time_kernels(work, trace, demands, gpu, speeds);
    StreamInputs in{.explanation = explanation,
                    .trace = trace,
                    .work = work,
                    .speeds = speeds,
                    .reads = {},
                    .rewrites = {},
                    .times = model_times(work, speeds)};
    in.seconds = length_s(in.times);
    const Dependencies follow(in);
    std::vector<Finding> of_streams;
    for (const CostRule* rule : cost_rules()) {
        if (!rule->find_in_streams) continue;
        std::vector<Finding> found;
        rule->find_in_streams(in, found);
        if (found.empty()) continue;
        StreamWork mended = work;
        rule->mend_streams(mended, in);
        const double saved = in.seconds - length_s(model_times(mended, speeds));
        if (saved < rule->least_saved_s || saved < rule->least_saved * in.seconds) continue;
        for (Finding& finding : found) {
            judge(finding, in, saved);
            of_streams.push_back(std::move(finding));
        }
    }
    if (of_streams.empty()) return;
    weigh_in(findings, time_of(demands, gpu).seconds, in.seconds);
    findings.insert(findings.end(), std::make_move_iterator(of_streams.begin()),
                    std::make_move_iterator(of_streams.end()));
}

}  // namespace lanework

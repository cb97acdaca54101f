// A discrete simulation: the host's clock hands tasks over, the engines' clocks take them.
#include "src/timeline/in_order_model.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace lanework {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// One engine, and the tasks that wait for it.
class Server {
public:
    /// In the order of submission, or whatever has been ready longest.
    explicit Server(bool in_order) : in_order_(in_order) {}

    void submit(std::size_t task) {
        if (in_order_) order_.push_back(task);
    }
    /// `share` of the engine is what the task takes while it runs.
    void make_ready(std::size_t task, double ready, double share) {
        ready_.insert({ready, task});
        shares_[task] = share;
    }
    /// When the next task begins; never while none is ready.
    double next_begin() const {
        const auto next = first();
        return next == ready_.end() ? kNever : room_from(next->first, shares_.at(next->second));
    }
    /// The next task, which is no longer waiting.
    std::size_t take() {
        const auto next = first();
        const std::size_t task = next->second;
        if (in_order_) order_.pop_front();
        ready_.erase(next);
        return task;
    }
    void runs(std::size_t task, const Interval& when) {
        std::erase_if(running_, [&](const Running& each) { return each.end <= when.begin_s; });
        running_.push_back({when.end_s, shares_.at(task)});
        last_begin_ = when.begin_s;
    }

private:
    using Ready = std::set<std::pair<double, std::size_t>>;
    Ready::const_iterator first() const {
        if (!in_order_) return ready_.begin();
        return std::ranges::find_if(ready_, [&](const auto& each) { return each.second == order_.front(); });
    }

    struct Running {
        double end, share;
    };
    /// From when on there is room for that share beside what runs; not before what began last.
    double room_from(double ready, double share) const {
        constexpr double kWhole = 1 + 1e-9;
        double at = std::max(ready, last_begin_);
        for (;;) {
            double taken = share, next = kNever;
            for (const Running& each : running_)
                if (each.end > at) {
                    taken += each.share;
                    next = std::min(next, each.end);
                }
            if (taken <= kWhole || next == kNever) return at;
            at = next;
        }
    }

    bool in_order_;
    double last_begin_ = 0;
    std::vector<Running> running_;
    std::map<std::size_t, double> shares_;
    Ready ready_;
    std::deque<std::size_t> order_;
};

class Simulation {
public:
    Simulation(const StreamWork& work, const EngineSpeeds& speeds)
        : work_(work),
          speeds_(speeds),
          states_(work.tasks.size()),
          servers_{Server(speeds.copy_engines == 1), Server(false), Server(false)} {}

    std::vector<Interval> run() {
        std::size_t handed_over = 0;  // spans of the host up to the last call that did
        for (const HostCall& call : work_.calls) {
            const double called_s = host_s_;
            host_s_ += speeds_.call_s;
            host_.push_back({false, {}, called_s, host_s_});
            advance(host_s_);
            for (std::size_t task = call.first; task < call.end; ++task) submit(task);
            const double handed_s = host_s_;
            for (const std::size_t task : call.waits_for) {
                while (!states_[task].begun) advance_one();
                host_s_ = std::max(host_s_, states_[task].when.end_s);
            }
            host_.push_back({true, {}, handed_s, host_s_});
            if (call.first < call.end) handed_over = host_.size();
        }
        host_.resize(handed_over);
        advance(kNever);
        std::vector<Interval> times;
        for (const State& state : states_) times.push_back(state.when);
        return times;
    }

    const std::vector<HostSpan>& host() const { return host_; }

private:
    struct State {
        bool begun = false;
        std::size_t waits_for = 0;  // tasks that have not begun
        double ready_s = 0;         // so far
        std::vector<std::size_t> followers;
        Interval when{0, 0};
    };

    Server& server_of(std::size_t task) {
        const Engine engine = work_.tasks[task].engine;
        const bool uploads = engine == Engine::upload || (engine == Engine::download && speeds_.copy_engines == 1);
        return servers_[uploads ? 0 : engine == Engine::download ? 1 : 2];
    }

    /// What passes between the end of a task and the begin of one of another stream that waits for it.
    double wait_s(std::size_t earlier, std::size_t later) const {
        return work_.tasks[earlier].stream == work_.tasks[later].stream ? 0 : speeds_.wait_s;
    }

    void submit(std::size_t task) {
        State& state = states_[task];
        state.ready_s = host_s_;
        for (const std::size_t earlier : work_.tasks[task].after) {
            if (states_[earlier].begun) {
                state.ready_s = std::max(state.ready_s, states_[earlier].when.end_s + wait_s(earlier, task));
            } else {
                states_[earlier].followers.push_back(task);
                ++state.waits_for;
            }
        }
        server_of(task).submit(task);
        if (state.waits_for == 0) make_ready(task);
    }

    void make_ready(std::size_t task) {
        server_of(task).make_ready(task, states_[task].ready_s, speeds_.share_of(work_.tasks[task]));
    }

    /// The next task of any engine begins.
    void advance_one() {
        const auto next = std::ranges::min_element(servers_, {}, &Server::next_begin);
        const double begin_s = next->next_begin();
        const std::size_t task = next->take();
        State& state = states_[task];
        state.begun = true;
        state.when = {begin_s, begin_s + speeds_.seconds_of(work_.tasks[task])};
        next->runs(task, state.when);
        for (const std::size_t follower : state.followers) {
            State& other = states_[follower];
            other.ready_s = std::max(other.ready_s, state.when.end_s + wait_s(task, follower));
            if (--other.waits_for == 0) make_ready(follower);
        }
    }

    /// Everything begins that begins before `until`: what is handed over later cannot come before it.
    void advance(double until) {
        while (std::ranges::min(servers_, {}, &Server::next_begin).next_begin() < until) advance_one();
    }

    const StreamWork& work_;
    const EngineSpeeds& speeds_;
    std::vector<State> states_;
    std::array<Server, 3> servers_;  // up (and down, when there is one), down, the multiprocessors
    double host_s_ = 0;
    std::vector<HostSpan> host_;
};

}  // namespace

std::vector<Interval> model_times(const StreamWork& work, const EngineSpeeds& speeds) {
    return Simulation(work, speeds).run();
}

double length_s(const std::vector<Interval>& times) {
    if (times.empty()) return 0;
    return std::ranges::max(times, {}, &Interval::end_s).end_s -
           std::ranges::min(times, {}, &Interval::begin_s).begin_s;
}

Timeline model_timeline(const StreamWork& work, const EngineSpeeds& speeds) {
    Simulation simulation(work, speeds);
    const std::vector<Interval> times = simulation.run();
    Timeline timeline{.source = TimelineSource::modelled, .by = describe(speeds), .spans = {}, .notes = {}};
    for (std::size_t i = 0; i < times.size(); ++i) {
        const StreamTask& task = work.tasks[i];
        const std::uint64_t bytes = task.bytes + task.read_over_link + task.written_over_link;
        timeline.spans.push_back({task.engine, task.name, task.stream, times[i].begin_s, times[i].end_s, bytes});
    }
    timeline.host = simulation.host();
    timeline.host_is_known = true;
    normalise(timeline);
    return timeline;
}

}  // namespace lanework

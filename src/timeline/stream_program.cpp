// The rules by which work in streams waits. A stream's tail is what its next piece of work comes after.
#include "src/timeline/stream_program.hpp"

#include <algorithm>
#include <utility>

namespace lanework {
namespace {

constexpr StreamProgram::Handle kDefault = nullptr;

void add(std::vector<std::size_t>& tail, std::span<const std::size_t> more) {
    for (const std::size_t task : more)
        if (std::ranges::find(tail, task) == tail.end()) tail.push_back(task);
}

}  // namespace

void StreamProgram::declare(Handle stream, bool blocking) { streams_[stream].blocking = blocking; }

int StreamProgram::number_of(Handle stream) {
    return numbers_.try_emplace(stream, static_cast<int>(numbers_.size())).first->second;
}

StreamProgram::Tail StreamProgram::own_tail(Handle stream) const {
    const auto own = streams_.find(stream);
    return own == streams_.end() ? Tail() : own->second.tail;
}

StreamProgram::Tail StreamProgram::default_tail(Handle stream) const {
    const auto own = streams_.find(stream);
    Tail tail;
    if (own != streams_.end() && !own->second.blocking) return tail;
    for (const auto& [handle, lane] : streams_)
        if (lane.blocking && handle != stream && (stream == kDefault || handle == kDefault)) add(tail, lane.tail);
    return tail;
}

StreamProgram::Tail StreamProgram::before_next(Handle stream) const {
    Tail tail = own_tail(stream);
    add(tail, default_tail(stream));
    return tail;
}

void StreamProgram::set_tail(Handle stream, Tail tail) { streams_[stream].tail = std::move(tail); }

void StreamProgram::submit(StreamTask task, Handle stream, bool host_waits) {
    const std::size_t number = work_.tasks.size();
    if (graphs_.empty()) {
        task.stream = number_of(stream);
        task.after = own_tail(stream);
        for (const std::size_t other : default_tail(stream))
            if (std::ranges::find(task.after, other) == task.after.end()) task.after_default.push_back(other);
        add(task.after, task.after_default);
        set_tail(stream, {number});
        work_.calls.push_back({number, number + 1, host_waits ? Tail{number} : Tail{}});
    } else {
        Step& step = graphs_.back().steps.back();
        task.stream = number_of(step.lane);
        task.after = std::exchange(step.tail, {number});
    }
    work_.tasks.push_back(std::move(task));
}

void StreamProgram::record_event(Handle event, Handle stream) {
    events_[event] = before_next(stream);
    work_.calls.push_back({work_.tasks.size(), work_.tasks.size(), {}});
}

void StreamProgram::wait_for_event(Handle event, Handle stream) {
    work_.calls.push_back({work_.tasks.size(), work_.tasks.size(), {}});
    if (const auto recorded = events_.find(event); recorded != events_.end())
        add(streams_[stream].tail, recorded->second);
}

void StreamProgram::host_waits_for(Tail tail) {
    work_.calls.push_back({work_.tasks.size(), work_.tasks.size(), std::move(tail)});
}
void StreamProgram::host_waits_for_stream(Handle stream) { host_waits_for(before_next(stream)); }
void StreamProgram::host_waits_for_event(Handle event) { host_waits_for(events_[event]); }
void StreamProgram::host_waits_for_device() {
    Tail all;
    for (const auto& [handle, lane] : streams_) add(all, lane.tail);
    host_waits_for(std::move(all));
}

void StreamProgram::begin_graph(Handle stream) {
    if (graphs_.empty()) {
        first_of_graph_ = work_.tasks.size();
        graphs_.push_back({stream, before_next(stream), {}});
    } else {
        graphs_.push_back({stream, graphs_.back().steps.back().tail, {}});
    }
}

void StreamProgram::begin_graph_step(Handle lane, std::span<const std::size_t> after) {
    Graph& graph = graphs_.back();
    Step step{lane, after.empty() ? graph.before : Tail(), false};
    for (const std::size_t earlier : after) {
        add(step.tail, graph.steps[earlier].tail);
        graph.steps[earlier].followed = true;
    }
    graph.steps.push_back(std::move(step));
}

void StreamProgram::end_graph() {
    const Graph graph = std::move(graphs_.back());
    graphs_.pop_back();
    Tail tail = graph.steps.empty() ? graph.before : Tail();
    for (const Step& step : graph.steps)
        if (!step.followed) add(tail, step.tail);
    if (!graphs_.empty()) {
        graphs_.back().steps.back().tail = std::move(tail);
        return;
    }
    set_tail(graph.stream, std::move(tail));
    work_.calls.push_back({first_of_graph_, work_.tasks.size(), {}});
}

}  // namespace lanework

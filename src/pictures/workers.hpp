// Threads that work on one item after another, and what they share: cores, an order, an end.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <semaphore>

namespace lanework {

/// Runs body(worker) on so many threads, 0 … count − 1, and waits for them. The first exception of any is thrown here;
/// `on_failure` is called before, once, so that the others end soon.
void on_threads(int count, const std::function<void(int)>& body, const std::function<void()>& on_failure);

/// One of the cores that are to be busy at a time: who waits for a device has none.
class Core {
public:
    explicit Core(std::counting_semaphore<>& cores) : cores_(cores) { cores_.acquire(); }
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;
    ~Core() { cores_.release(); }

private:
    std::counting_semaphore<>& cores_;
};

/// Lets items through one by one, in the order of their numbers, from 0 on.
class Turns {
public:
    /// Until it is this item's turn; false when there is none any more.
    bool wait_for(std::size_t item);
    /// The next one's turn.
    void pass();
    /// Nobody's turn any more.
    void end();

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t turn_ = 0;
    bool ended_ = false;
};

/// Hands values that come in any order on in the order of their numbers, without letting anybody wait.
template <class Value>
class InOrder {
public:
    explicit InOrder(std::function<void(const Value&)> take) : take_(std::move(take)) {}

    void put(std::size_t number, Value value) {
        const std::lock_guard lock(mutex_);
        early_.emplace(number, std::move(value));
        for (auto first = early_.begin(); first != early_.end() && first->first == next_; first = early_.begin()) {
            ++next_;
            take_(first->second);
            early_.erase(first);
        }
    }

private:
    std::function<void(const Value&)> take_;
    std::mutex mutex_;
    std::map<std::size_t, Value> early_;
    std::size_t next_ = 0;
};

}  // namespace lanework

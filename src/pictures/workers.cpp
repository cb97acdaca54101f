// Starting and joining threads, whose first failure is everybody's.
#include "src/pictures/workers.hpp"

#include <exception>
#include <thread>
#include <vector>

namespace lanework {

void on_threads(int count, const std::function<void(int)>& body, const std::function<void()>& on_failure) {
    std::mutex mutex;
    std::exception_ptr failure;
    const auto guarded = [&](int worker) {
        try {
            body(worker);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (failure) return;
            failure = std::current_exception();
            on_failure();
        }
    };
    std::vector<std::jthread> others;
    for (int worker = 1; worker < count; ++worker) others.emplace_back(guarded, worker);
    guarded(0);
    others.clear();  // joins them
    if (failure) std::rethrow_exception(failure);
}

bool Turns::wait_for(std::size_t item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || turn_ == item; });
    return !ended_;
}

void Turns::pass() {
    const std::lock_guard lock(mutex_);
    ++turn_;
    changed_.notify_all();
}

void Turns::end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
}

}  // namespace lanework

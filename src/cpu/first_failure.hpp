// Work that is shared out must not throw, and allocates all the same: what one share throws ends the others.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>

namespace lanework {

/// The first exception of shares that several threads work on, thrown again by the one that shared them out.
class FirstFailure {
public:
    /// Calls body(), unless something has been thrown before.
    template <class Body>
    void guard(const Body& body) noexcept {
        if (failed_.load(std::memory_order_relaxed)) return;
        try {
            body();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            failed_ = true;
        }
    }

    /// To be called when all shares are done.
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    std::atomic<bool> failed_ = false;
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace lanework

// A sum of doubles that also keeps what each addition rounded away (Neumaier's variant of Kahan's summation).
#pragma once

#include <cmath>
#include <lanework/on_device.hpp>

namespace lanework::inline LANEWORK_ON_DEVICE {

class Compensated {
public:
    void add(double value) {
        const double next = sum_ + value;
        lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
        sum_ = next;
    }
    /// An infinite sum is what it is: what it lost is no number.
    double value() const { return std::isfinite(lost_) ? sum_ + lost_ : sum_; }

private:
    double sum_ = 0, lost_ = 0;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE

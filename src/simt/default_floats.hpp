// The host's way to compute with floating-point numbers, rounding and subnormal ones, is its own: what it set holds
// before and behind, and not here.
#pragma once

#include <cfenv>

namespace lanework_simt {

/// As they are now they are again at the end.
class KeptFloats {
public:
    KeptFloats() { std::fegetenv(&hosts_); }
    KeptFloats(const KeptFloats&) = delete;
    KeptFloats& operator=(const KeptFloats&) = delete;
    ~KeptFloats() { std::fesetenv(&hosts_); }

private:
    std::fenv_t hosts_{};
};

/// Until the end they are a GPU's: to the nearest, with subnormal numbers.
class DefaultFloats {
public:
    DefaultFloats() { std::fesetenv(FE_DFL_ENV); }

private:
    KeptFloats kept_;
};

}  // namespace lanework_simt

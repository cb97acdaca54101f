// Banks: how many passes over the 32 banks of shared memory a request takes, and how many its width would need.
#pragma once

#include "src/trace/analyse/worst_requests.hpp"

namespace lanework {

class Banks final : public Analyser {
public:
    explicit Banks(WorstRequests& worst) : worst_(worst) {}
    bool sees_requests(Space space) const override { return space == Space::shared; }
    void request(const Request& request) override;

private:
    WorstRequests& worst_;
};

/// One request to shared memory alone: what it adds to the counters of its site.
SharedCounters count_shared(const Request& request);

}  // namespace lanework

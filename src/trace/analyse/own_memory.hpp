// Constant and local memory: how many addresses a request to constant memory names, and how often threads use memory of
// their own.
#pragma once

#include "src/trace/analyse/analyser.hpp"

namespace lanework {

class OwnMemory final : public Analyser {
public:
    bool sees_requests(Space space) const override { return space == Space::constant || space == Space::local; }
    void request(const Request& request) override;
};

}  // namespace lanework

// A build without the simt device has nothing that a kernel could be judged on, or its launches checked.
#include <lanework/error.hpp>

#include "src/program/ladder/judge.hpp"
#include "src/program/ladder/rehearsed.hpp"

namespace lanework {

Judgement judge(OwnOperation&, const RungSource&, const Build&, const JudgeOptions&) {
    throw UnavailableError("this build has no simt device to judge kernels on: configure it with -DLANEWORK_SIMT=ON");
}

RehearsedLaunches rehearse(const OwnRung&, const Problem&) { return {}; }
std::string not_rehearsed(const std::string&) { return {}; }
std::vector<Problem> timed_problems(const Operation&, DType) { return {}; }

}  // namespace lanework

// A build without the simt device has nothing that a kernel could be judged on.
#include <lanework/error.hpp>

#include "src/program/ladder/judge.hpp"

namespace lanework {

Judgement judge(OwnOperation&, const RungSource&, const Build&, const JudgeOptions&) {
    throw UnavailableError("this build has no simt device to judge kernels on: configure it with -DLANEWORK_SIMT=ON");
}

}  // namespace lanework

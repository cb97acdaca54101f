// The target of a call, and its scratch memory. Forks are noticed when they happen: nothing else tells a child that it
// is one.
#include "python/native/place.hpp"

#include <pthread.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <thread>

namespace lanework::native {
namespace {
bool forked = false;
[[maybe_unused]] const int forks_are_noticed = pthread_atfork(nullptr, nullptr, [] { forked = true; });
}  // namespace

int team_of(int wanted) {
    if (forked) return 1;
    return wanted > 0 ? wanted : std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

Place::Place(const lanework_place& place) {
    if (place.device < 0)
        team_ = Team{team_of(place.threads)};
    else
        gpu_.emplace(place.device, place.stream);
}

GpuStream& Place::gpu() {
    if (!gpu_) throw UnavailableError("the call is of the processor, and its memory a GPU's");
    return *gpu_;
}

Workspace Place::scratch(std::size_t bytes) {
    if (gpu_) return {gpu_->allocate(bytes), bytes};
    const std::vector<Unit>& memory = scratch_.emplace_back((bytes + sizeof(Unit) - 1) / sizeof(Unit));
    return {const_cast<Unit*>(memory.data()), memory.size() * sizeof(Unit)};
}

}  // namespace lanework::native

// Forks are noticed when they happen: nothing else tells a child that it is one.
#include "python/native/team.hpp"

#include <pthread.h>

#include <algorithm>
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

}  // namespace lanework::native

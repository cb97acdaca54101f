// The counts of one process, and as JSON for who watches the program.
#include "src/program/watch/launch_counts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace lanework {

LaunchCounts::Own& LaunchCounts::own() {
    if (own_.process != getpid()) {
        own_ = Own();
        own_.process = getpid();
    }
    return own_;
}

std::uint64_t LaunchCounts::launched(const Kernel& kernel, std::uint64_t threads) {
    ++so_far_;
    ++own().launches;
    own().kernels.insert(kernel);
    OfKernel& all = kernels_[kernel];
    ++all.count;
    if (threads > all.most_threads) {
        all.largest = all.count;
        all.most_threads = threads;
    }
    return all.count;
}

void LaunchCounts::cut_short(std::string kernel, std::uint64_t left_out, std::uint64_t blocks) {
    own().cut_short = {std::move(kernel), left_out, blocks};
}

Json LaunchCounts::own_as_json() {
    const Own& mine = own();
    Json names = Json::array(), larger = Json::array();
    for (const auto& [name, address] : mine.kernels) names.push_back(fmt::format("{} {}", name, address));
    for (const auto& [kernel, launches] : kernels_) {
        // What a small launch costs says little about one of many times as many threads.
        constexpr std::uint64_t kManyTimes = 4;
        if (launches.explained_threads != 0 && launches.most_threads >= kManyTimes * launches.explained_threads)
            larger.push_back({{"kernel", kernel.first},
                              {"launch", launches.largest},
                              {"threads", launches.most_threads},
                              {"explained_threads", launches.explained_threads}});
    }
    Json cut_short = nullptr;
    if (mine.cut_short)
        cut_short = {{"kernel", mine.cut_short->kernel},
                     {"left_out", mine.cut_short->left_out},
                     {"blocks", mine.cut_short->blocks}};
    return {{"process", mine.process},     {"launches", mine.launches}, {"repeats", mine.repeats},
            {"unchecked", mine.unchecked}, {"cut_short", cut_short},    {"kernels", names},
            {"explained", mine.explained}, {"larger", larger}};
}

}  // namespace lanework

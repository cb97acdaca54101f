// The device as a whole: its OS threads, and the launches that run on them one after another.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "src/simt/worker.hpp"

namespace lanework_simt::engine {

class Engine {
public:
    /// The one engine of the process; it is never destroyed, so that its threads need no end.
    static Engine& instance();

    /// Runs the grid to its end on this thread and helpers; its failure becomes the sticky error. Thread-safe.
    void run(const Launch& launch);

    void set_schedule(std::uint64_t seed);
    std::uint64_t schedule() const { return seed_; }
    void set_worker_count(int count) { worker_count_ = count < 1 ? 1 : count; }
    int worker_count() const { return worker_count_; }

private:
    /// An OS thread that waits for grids.
    struct Helper {
        std::atomic<Grid*> grid{nullptr};
        Worker worker;
        std::thread thread;
    };

    Engine();
    void run_natural(Grid& grid);
    void run_measured(Grid& grid, std::size_t helping);
    void run_with(Grid& grid, std::size_t helping);
    void run_observed(Grid& grid);
    void run_here(Grid& grid);
    void ensure_helpers(std::size_t count);
    void help(Helper& helper);

    std::mutex launching_;
    std::atomic<std::uint64_t> seed_{0};
    std::atomic<int> worker_count_;
    std::uint64_t launches_ = 0, launches_of_schedule_ = 0;
    Worker own_;  // of whichever host thread launches
    std::thread::id last_host_thread_;
    std::vector<std::unique_ptr<Helper>> helpers_;
    std::atomic<std::size_t> busy_{0};
};

}  // namespace lanework_simt::engine

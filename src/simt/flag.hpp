// What one thread switches while others ask.
#pragma once

#include <atomic>

namespace lanework_simt::engine {

/// It orders nothing: whoever asks may see it late.
class Flag {
public:
    operator bool() const { return on_.load(std::memory_order_relaxed); }
    void set(bool on) { on_.store(on, std::memory_order_relaxed); }

private:
    std::atomic<bool> on_{false};
};

/// Whether hooks do anything. Several threads have a say, each its own, so that none undoes what another one wants.
class HookSwitch {
public:
    /// Accesses of the host are looked at; the launch that runs wants its own seen; it wants none seen, the host's
    /// neither. The last two are the engine's, which runs one launch at a time.
    enum Wish : unsigned { host = 1, launch = 2, blind = 8 };

    /// One comparison at every access: somebody wishes it (not 0), and the engine is not blind (8 or more).
    operator bool() const { return wishes_.load(std::memory_order_relaxed) - 1 < blind - 1; }
    bool has(Wish wish) const { return (wishes_.load(std::memory_order_relaxed) & wish) != 0; }
    void set(Wish wish, bool on) {
        on ? wishes_.fetch_or(wish, std::memory_order_relaxed) : wishes_.fetch_and(~wish, std::memory_order_relaxed);
    }

private:
    std::atomic<unsigned> wishes_{0};
};

}  // namespace lanework_simt::engine

// A site: one access or one basic block of a kernel's code, with everything that is counted there.
#pragma once

#include <cstdint>
#include <string>

#include "src/simt/event.hpp"
#include "src/trace/analyse/counters.hpp"

namespace lanework {

using lanework_simt::EventKind;

enum class Space : std::uint8_t { global, shared, local, constant, unknown, texture };
inline constexpr std::size_t kSpaces = 6;
constexpr const char* name_of(Space space) {
    constexpr const char* names[] = {"global", "shared", "local", "constant", "unknown", "texture"};
    return names[static_cast<int>(space)];
}

/// Where in the source; `line` 0 is unknown.
struct SourcePlace {
    /// Relative to the project's root where it lies within, else as the compiler wrote it.
    std::string file;
    int line = 0;
    int column = 0;
    std::string function;

    bool operator==(const SourcePlace&) const = default;
};

struct Site {
    /// Counts the sites of a trace from 0.
    std::uint32_t id = 0;
    std::uint64_t pc = 0;
    EventKind kind = EventKind::load;
    Space space = Space::global;
    /// Of an access, per lane.
    unsigned bytes = 0;
    /// Of a volatile: never torn, and seen by other threads in time, as a relaxed atomic operation (PTX ISA, "Memory
    /// Consistency Model": ld.volatile is ld.relaxed).
    bool is_volatile = false;
    /// An atomic load or store.
    bool atomic_access = false;
    /// An atomic operation that writes only where it finds what it is given: a compare-and-swap.
    bool compares = false;
    /// Of an atomic access or a fence: it is one for the threads of the block alone.
    bool block_scope = false;

    GlobalCounters global;
    SharedCounters shared;
    ConstantCounters constant;
    LocalCounters local;
    BranchCounters branch;

    bool is_atomic() const { return atomic_access || kind == EventKind::atomic || kind == EventKind::reduction; }
};

}  // namespace lanework

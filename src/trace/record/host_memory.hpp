// What the host does with the device's memory that it should not: it frees what is none, copies what was freed, or
// never frees. A call is known by the addresses that its callers return to, which become a line when something is
// wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "src/trace/analyse/finding.hpp"
#include "src/trace/analyse/hazard.hpp"
#include "src/trace/record/host_calls.hpp"

namespace lanework_simt {
enum class Origin;
}

namespace lanework {

class HostMemory {
public:
    /// `found` is called with each finding, in the thread that made the call.
    HostMemory(PlaceOf place_of, std::function<void(Finding)> found)
        : place_of_(std::move(place_of)), found_(std::move(found)) {}

    void allocated(const void* base, std::size_t bytes, lanework_simt::Origin origin);
    void released(const void* base);
    /// A call was refused: nothing that it could free begins there …
    void bad_free(const void* pointer);
    /// … or not all of these bytes are memory.
    void bad_copy(const void* pointer, std::size_t bytes, bool writes);
    /// … or what is to be written is no variable.
    void bad_symbol(const void* symbol, std::size_t bytes);

    /// Of each line that allocated what nobody has freed yet, a finding.
    std::vector<Finding> leaks();

private:
    using Calls = HostCalls;
    struct Piece {
        std::size_t bytes;
        lanework_simt::Origin origin;
        Calls allocated, freed;
    };
    using Pieces = std::map<std::uint64_t, Piece>;

    /// The piece that holds the address; null when none does.
    static const Pieces::value_type* holding(const Pieces& pieces, std::uint64_t address);
    SourcePlace place(const Calls& calls) const { return program_line(calls, place_of_); }
    void tell(Rule rule, std::string evidence, std::string remedy);

    PlaceOf place_of_;
    std::function<void(Finding)> found_;
    std::mutex mutex_;
    Pieces live_, freed_;
};

}  // namespace lanework

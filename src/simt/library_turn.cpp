#include "src/simt/library_turn.hpp"

#include <utility>

namespace lanework_simt {
namespace {

thread_local LibraryTurn* turn = nullptr;

std::span<const std::byte> bytes_at(const void* first, std::size_t bytes) {
    return {static_cast<const std::byte*>(first), bytes};
}

}  // namespace

LibraryTurn::LibraryTurn(const char* name, const void* stream, Results results)
    : call_{.name = name, .stream = stream}, results_(results), is_outer_(observer() && !turn) {
    if (is_outer_) turn = this;
}

LibraryTurn::~LibraryTurn() {
    if (!is_outer_) return;
    turn = nullptr;
    if (observer() && (!call_.read.empty() || !call_.written.empty())) observer()->library_called(call_);
}

LibraryTurn* LibraryTurn::current() { return turn; }

void LibraryTurn::reads(const void* from, std::size_t bytes) { call_.read.push_back(bytes_at(from, bytes)); }
void LibraryTurn::writes(const void* to, std::size_t bytes) { call_.written.push_back(bytes_at(to, bytes)); }
void LibraryTurn::gives_result(const void* to, std::size_t bytes) {
    if (results_ == Results::to_host)
        call_.host_waits = true;
    else
        writes(to, bytes);
}

void note_read(const void* from, std::size_t bytes) {
    if (turn && bytes != 0) turn->reads(from, bytes);
}

void note_written(const void* to, std::size_t bytes) {
    if (!observer() || bytes == 0) return;
    observer()->memory_written(to, bytes);
    if (turn) turn->writes(to, bytes);
}

void note_changed(const void* to, std::size_t bytes) {
    if (!observer() || bytes == 0) return;
    observer()->memory_changed(to, bytes);
    if (turn) turn->writes(to, bytes);
}

void note_result(const void* to, std::size_t bytes) {
    if (!observer()) return;
    observer()->memory_written(to, bytes);
    if (turn) turn->gives_result(to, bytes);
}

}  // namespace lanework_simt

#include "src/simt/library_turn.hpp"

namespace lanework_simt {
namespace {

/// What the library's work of this thread touches; null where nobody watches, or there is none.
thread_local LibraryCall* gathered = nullptr;

}  // namespace

LibraryTurn::LibraryTurn(const LibraryCall& call) : call_(call) {
    if (observer()) gathered = &call_;
}
LibraryTurn::~LibraryTurn() { gathered = nullptr; }

void LibraryTurn::tell() const {
    if (observer() && (!call_.read.empty() || !call_.written.empty())) observer()->library_called(call_);
}

void note_read(const StridedBytes& from) {
    if (gathered) from.each([](std::span<const std::byte> run) { gathered->read.push_back(run); });
}

void note_written(const StridedBytes& to) {
    note_written_by_host(to);
    if (gathered) to.each([](std::span<const std::byte> run) { gathered->written.push_back(run); });
}

void note_changed(const StridedBytes& to) {
    if (observer()) to.each([](std::span<const std::byte> run) { observer()->memory_changed(run.data(), run.size()); });
    if (gathered) to.each([](std::span<const std::byte> run) { gathered->written.push_back(run); });
}

void note_written_by_host(const StridedBytes& to) {
    if (observer()) to.each([](std::span<const std::byte> run) { observer()->memory_written(run.data(), run.size()); });
}

}  // namespace lanework_simt

// A library that computes on the processor alone.
#include <lanework/error.hpp>

#include "python/native/place.hpp"

namespace lanework::native {

FirstUses::FirstUses() noexcept = default;
FirstUses::~FirstUses() = default;

int gpu_count() { return -1; }

GpuStream::GpuStream(int, void* stream) : stream_(stream) {
    throw UnavailableError("this build of lanework computes on the processor alone");
}
GpuStream::~GpuStream() = default;
void* GpuStream::allocate(std::size_t) { return nullptr; }
void GpuStream::write(void*, const void*, std::size_t) {}
void GpuStream::read(void*, const void*, std::size_t) const {}
void GpuStream::write_box_of_cell(const lanework_neighbor_request&, PeriodicBox*) {}
bool GpuStream::is_captured() const { return false; }
void GpuStream::require_no_capture(std::string_view) const {}

StreamOrder::StreamOrder() = default;
StreamOrder::~StreamOrder() = default;
void StreamOrder::enter(Stream) {}
void StreamOrder::leave(Stream) {}

}  // namespace lanework::native

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
const ImagePlace* GpuStream::copy(std::span<const ImagePlace>) { return nullptr; }

}  // namespace lanework::native

// The device that a program computes on when nobody says which.
#include <lanework/error.hpp>
#include <lanework/target.hpp>

namespace lanework {

std::unique_ptr<Device> best_device() {
    // simt is a GPU for looking at kernels: the processor itself is faster.
    for (const DeviceKind kind : {DeviceKind::cuda, DeviceKind::cpu})
        if (availability(kind).count > 0) return open_device(name_of(kind));
    throw UnavailableError("this build computes neither on a GPU nor on the processor");
}

}  // namespace lanework

// The GPUs that a program sees (`--devices N`): equal ones, each a peer of each other one. Memory, streams and events
// belong to the device that was current when they were made. One engine does the work of all of them.
#pragma once

#include <cstddef>
#include <lanework_simt/stream.hpp>
#include <mutex>

namespace lanework_simt {

constexpr int kMostDevices = 64;

/// Of a stream, as on GPUs since Volta; the least is 0. Streams are served in the order of their calls all the same.
constexpr int kGreatestStreamPriority = -5;

/// 1 until another number is presented.
int device_count();
/// For the whole process, before it allocates anything; from 1 to kMostDevices.
void present_devices(int count);
bool device_exists(int device);

/// The one that the calling host thread has chosen, 0 at first.
int current_device();
/// That of a stream that exists; of a default stream, the one that is current.
int device_of(cudaStream_t stream);

/// The device's kernels may no longer use the memory of others.
void forget_peers(int device);

/// Constant and device variables are one object for all devices, as the compiler made them. Of those that the host has
/// named in a call each device has its own value: while the lock is held, they hold this device's.
std::unique_lock<std::mutex> hold_variables(int device);
/// The host names a variable: from now on each device has its own value of it, at first what it holds now. Under the
/// lock.
void keep_for_each_device(const void* variable, std::size_t bytes);

}  // namespace lanework_simt

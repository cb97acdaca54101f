// CUDA's two kinds of errors: the last error of a host thread, which a get clears, and the sticky error of a failed
// kernel, which every later call returns, and leaves as the last error again, until the device is reset. Each keeps a
// sentence that says what happened.
#pragma once

#include <lanework_simt/last_error.hpp>
#include <string>

namespace lanework_simt {

/// What an API call ends with: keeps `error` as this host thread's last error unless it is cudaSuccess, and returns it;
/// the sticky error takes its place when there is one.
cudaError_t record(cudaError_t error);
/// The same, with a sentence for failure_detail().
cudaError_t record(cudaError_t error, std::string detail);

/// The error of the kernel that failed; cudaSuccess when none did since the start or the last reset.
cudaError_t sticky_error();

/// What went wrong in the failed kernel or else in this host thread's last failed call, with the kernel and the source
/// line where there is one; empty when nothing failed or nothing more is known than the code.
std::string failure_detail();

/// Forgets every error: cudaDeviceReset's part in this file.
void clear_for_reset();

/// True on a thread of a kernel, false in host code.
bool in_kernel();

/// Ends the grid that calls it: its other threads go no further, nothing on their stacks is destroyed, and the error
/// becomes sticky. `detail` says what happened; the kernel's name is put in front. `caller` is where the kernel's code
/// returns to from what fails; null: where the thread was last seen. Throws std::logic_error outside a kernel.
[[noreturn]] void fail_kernel(cudaError_t error, std::string detail, const void* caller = nullptr);

}  // namespace lanework_simt

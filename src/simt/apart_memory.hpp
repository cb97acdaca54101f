// Device memory in addresses of its own, far from all that is the host's: where an address lies then says whose it is.
#pragma once

#include <cstddef>

namespace lanework_simt {

/// From now on, as far as these bytes go, device memory is taken from them. Once, before there is any.
void keep_device_memory_apart(std::size_t bytes);
/// So far behind a multiple of two megabytes allocations begin from now on; a multiple of 512.
void shift_apart_memory(std::size_t bytes);

/// Zeros, or null where memory is not kept apart or all of it is taken.
void* take_apart_memory(std::size_t bytes);
/// Whether the pointer was taken from there, and not given back.
bool is_apart_memory(const void* memory);
/// False for a pointer that did not come from there.
bool give_back_apart_memory(void* memory);

}  // namespace lanework_simt

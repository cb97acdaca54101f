// Memory of Thrust's vectors, which its C++ system would take from the heap: here it is memory of the simt
// device that host code may write, too: Thrust's algorithms do.
#pragma once

#include <thrust/mr/memory_resource.h>
#include <thrust/mr/new.h>

#include <lanework_simt/library_memory.hpp>
#include <new>

THRUST_NAMESPACE_BEGIN
namespace mr {

class lanework_resource final : public memory_resource<> {
public:
    void* do_allocate(std::size_t bytes, std::size_t) override {
        void* memory = nullptr;
        if (::lanework_simt::allocate_for_library(&memory, bytes) != ::lanework_simt::cudaSuccess)
            throw std::bad_alloc();
        return memory;
    }
    void do_deallocate(void* memory, std::size_t, std::size_t) override { ::lanework_simt::cudaFree(memory); }
};

}  // namespace mr
THRUST_NAMESPACE_END

#define new_delete_resource lanework_resource
#include_next <thrust/system/cpp/memory_resource.h>
#undef new_delete_resource

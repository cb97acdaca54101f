// new and delete of a program: a kernel's come from the heap of kernels, everybody else's from the C library, as
// before. The library is asked before the C++ library for these names, and so it is asked for what it needs itself,
// too: who calls decides.
#include <link.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <lanework_simt/error.hpp>
#include <lanework_simt/heap.hpp>
#include <new>

namespace {

struct Code {
    std::uint64_t low, high;
};

/// The code of the program and of libraries that are not this one or the language's.
class ProgramCode {
public:
    ProgramCode() { dl_iterate_phdr(add, this); }
    bool holds(std::uint64_t address) const {
        for (std::size_t i = 0; i < count_; ++i)
            if (ranges_[i].low <= address && address < ranges_[i].high) return true;
        return false;
    }

private:
    static int add(dl_phdr_info* info, std::size_t, void* list) {
        auto& self = *static_cast<ProgramCode*>(list);
        for (const char* other : {"liblanework_simt", "libstdc++", "libc++", "libc.so", "libfmt", "libdw"})
            if (std::strstr(info->dlpi_name, other)) return 0;
        for (int i = 0; i < info->dlpi_phnum && self.count_ < self.ranges_.size(); ++i) {
            const auto& segment = info->dlpi_phdr[i];
            if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
            const std::uint64_t low = info->dlpi_addr + segment.p_vaddr;
            self.ranges_[self.count_++] = {low, low + segment.p_memsz};
        }
        return 0;
    }

    std::array<Code, 64> ranges_{};
    std::size_t count_ = 0;
};

/// Whether code of the program's own that runs in a kernel called from there.
bool in_kernel_of_program(const void* caller) {
    if (!lanework_simt::in_kernel()) return false;
    static const ProgramCode code;
    return code.holds(reinterpret_cast<std::uint64_t>(caller));
}

void* host_memory(std::size_t bytes) {
    for (;;) {
        if (void* const memory = std::malloc(bytes != 0 ? bytes : 1)) return memory;
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

/// A kernel gets null where there is no memory left, as on a GPU.
void* allocate(std::size_t bytes, const void* caller) {
    return in_kernel_of_program(caller) ? lanework_simt::device_malloc(bytes) : host_memory(bytes);
}

void release(void* memory, const void* caller) {
    if (in_kernel_of_program(caller))
        lanework_simt::device_free(memory, caller);
    else
        std::free(memory);
}

}  // namespace

#define LANEWORK_CALLER __builtin_return_address(0)
#define LANEWORK_FOR_PROGRAMS __attribute__((visibility("default"), noinline))

LANEWORK_FOR_PROGRAMS void* operator new(std::size_t bytes) { return allocate(bytes, LANEWORK_CALLER); }
LANEWORK_FOR_PROGRAMS void* operator new[](std::size_t bytes) { return allocate(bytes, LANEWORK_CALLER); }
LANEWORK_FOR_PROGRAMS void operator delete(void* memory) noexcept { release(memory, LANEWORK_CALLER); }
LANEWORK_FOR_PROGRAMS void operator delete[](void* memory) noexcept { release(memory, LANEWORK_CALLER); }
LANEWORK_FOR_PROGRAMS void operator delete(void* memory, std::size_t) noexcept { release(memory, LANEWORK_CALLER); }
LANEWORK_FOR_PROGRAMS void operator delete[](void* memory, std::size_t) noexcept { release(memory, LANEWORK_CALLER); }

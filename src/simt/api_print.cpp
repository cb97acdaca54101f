// Assertions, which end a kernel or the program, and the fence.
#include <cstdio>
#include <lanework_simt/access.hpp>
#include <lanework_simt/error.hpp>
#include <lanework_simt/print.hpp>
#include <lanework_simt/thread.hpp>
#include <string>
#include "src/simt/hooks.hpp"
#include "src/simt/worker.hpp"

#undef __assert_fail

namespace lanework_simt {
namespace {

std::string text_of(uint3 index) {
    return '[' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' + std::to_string(index.z) + ']';
}

}  // namespace

void assert_fail(const char* expression, const char* file, unsigned int line, const char* function) {
    if (!in_kernel()) ::__assert_fail(expression, file, line, function);
    const std::string place = std::string(file) + ':' + std::to_string(line) + ": " + function;
    const std::string message = "Assertion `" + std::string(expression) + "` failed.";
    // CUDA prints this line, with the thread that failed, whatever the program does about the error.
    std::fprintf(stderr, "%s: block: %s, thread: %s %s\n", place.c_str(), text_of(block_index()).c_str(),
                 text_of(thread_index()).c_str(), message.c_str());
    fail_kernel(cudaErrorAssert, place + ": " + message, __builtin_return_address(0));
}

// A loop around one reads what others write.
void memory_fence() {
    engine::record(LANEWORK_HOOK_PC(), EventKind::fence, 0, nullptr);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    spin_hint(nullptr, LANEWORK_HOOK_PC());
}
void block_fence() {
    engine::record(LANEWORK_HOOK_PC(), EventKind::fence, EventCode::kBlockScope, nullptr);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    spin_hint(nullptr, LANEWORK_HOOK_PC());
}

}  // namespace lanework_simt

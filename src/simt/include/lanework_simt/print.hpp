// What a kernel says to the host: printf, which is the host's own and whole per call, and assert.
#pragma once

// Included without NDEBUG first: only then is __assert_fail declared.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <assert.h>
#pragma pop_macro("NDEBUG")
#include <assert.h>
#include <stdio.h>

#include <lanework_simt/qualifiers.hpp>

namespace lanework_simt {

/// In a kernel: ends it with cudaErrorAssert. On the host: what the C library does, which is to abort.
[[noreturn]] void assert_fail(const char* expression, const char* file, unsigned int line, const char* function);

}  // namespace lanework_simt

// The assert macro calls __assert_fail. It is declared by now, so that including <assert.h> again does not meet this.
#define __assert_fail ::lanework_simt::assert_fail

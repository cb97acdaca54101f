// A function of plain loops for each width of vector: the compiler makes a version for each and picks one when the
// program starts.
#pragma once

#if defined(__x86_64__)
#define LANEWORK_EACH_WIDTH __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define LANEWORK_EACH_WIDTH
#endif

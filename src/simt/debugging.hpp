// A program that a debugger follows: one thread is one thing. A single OS thread works, no kernel is a loop over its
// threads, every thread is begun by itself, in the natural order, and none is interrupted because time has passed.
//
// The debugger reads what runs from one object, and is stopped at a marker when that changes: a breakpoint for one
// thread stands only while that thread runs, and the others run as fast as ever.
#pragma once

#include "src/simt/grid.hpp"

namespace lanework_simt::engine {

/// Whether the environment asks for it (LANEWORK_DEBUGGER): decided when the program starts.
extern bool debugged __attribute__((visibility("hidden")));

/// Names the launch that begins.
void debug_launch(const Grid& grid);
/// The context has become another thread's, or nobody's.
void debug_thread();

}  // namespace lanework_simt::engine

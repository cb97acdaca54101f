// Shared memory that a header declares, outside of functions.
#pragma once

constexpr int kThreads = 64;
__shared__ int parts[kThreads / 32][32];
__shared__ int total;

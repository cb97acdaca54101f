// What the CUDA file does for the C++ one.
#pragma once

/// Multiplies n numbers of managed memory by FACTOR.
void scale(float* numbers, int n);

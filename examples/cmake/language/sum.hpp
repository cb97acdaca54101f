// A sum on the device.
#pragma once

/// The sum of n numbers of managed memory.
int sum(const int* numbers, int n);

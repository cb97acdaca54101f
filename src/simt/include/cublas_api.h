// Part of cuBLAS, which programs include by itself: here it is all one.
#pragma once

#include <cublas_v2.h>

// One of the headers that cuRAND is made of, which programs include by itself: here they are all one.
#pragma once

#include <curand_kernel.h>

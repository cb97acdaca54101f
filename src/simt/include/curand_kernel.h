// cuRAND's device functions for the simt device: the generators XORWOW, MRG32k3a, Philox4x32-10 and Sobol with CUDA's
// sequences, and the distributions that are made of them. What is not here (Mersenne Twister) is unknown by name.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <cuda_runtime.h>
#include <curand.h>

#include <lanework_simt/random_distributions.hpp>
#include <lanework_simt/random_generators.hpp>

#include <lanework_simt/letters_back.hpp>

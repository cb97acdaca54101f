// nvcuda::wmma: a warp's matrix products.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <lanework_simt/matrix_fragments.hpp>

#include <lanework_simt/letters_back.hpp>

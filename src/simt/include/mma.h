// nvcuda::wmma: a warp's matrix products.
#pragma once

#include <lanework_simt/matrix_fragments.hpp>

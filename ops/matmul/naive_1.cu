// Blocks of a single thread. A block is made of whole warps: 31 of 32 lanes are paid for and idle.
#include "ops/matmul/one_element.hpp"

namespace {
constexpr int kBlock = 1;
}  // namespace

LANEWORK_RUNG(matmul, naive_1,
              {
                  .lesson = "Blocks of one thread: each occupies a warp, 31 of whose lanes do nothing.",
                  .launch = {launch_one_element_each<kBlock, std::int32_t>, launch_one_element_each<kBlock, float>},
                  .refuses = refuse_beyond_grid<kBlock, kBlock>,
                  .fits = {has_epilogue<std::int32_t>, has_epilogue<std::int8_t>},
                  .only = kGeluOfFloats,
              });

// Row by row as it is read: every store goes to another line, which the cache drops before its next element comes.
#include "ops/transpose/operation.hpp"

namespace {

template <class T>
void launch(const TransposeArgsOf<T>& a, Team) {
    for (std::int64_t row = 0; row < a.rows; ++row)
        for (std::int64_t col = 0; col < a.cols; ++col) a.out[col * a.out_pitch + row] = a.in[row * a.in_pitch + col];
}

}  // namespace

LANEWORK_RUNG(transpose, serial,
              {
                  .lesson = "Strided stores touch a whole cache line, and often a page, for each element.",
                  .launch = {launch<std::int32_t>, launch<std::uint8_t>, launch<std::uint16_t>, launch<std::uint64_t>},
              });

// A processor works in the host's memory: nothing crosses a link, and a transfer is a copy.
#include <cstring>

#include "ops/transfer/operation.hpp"

namespace {
void launch(const TransferArgs& a, Team) {
    if (a.words > 0) std::memcpy(a.out, a.in, a.bytes());
}
}  // namespace

LANEWORK_RUNG(transfer, serial,
              {
                  .lesson = "Host and device share one memory here: a transfer is a copy by one core.",
                  .launch = launch,
              });

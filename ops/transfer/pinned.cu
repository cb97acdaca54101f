// Page-locked memory stays where it is: the copy engine takes it from there at the full rate of the link, and neither
// the host's thread nor a multiprocessor has a part in it.
#include "ops/transfer/copy_engine.hpp"

LANEWORK_RUNG(transfer, pinned,
              {
                  .climbs_from = "zero_copy",
                  .lesson = "The copy engine fetches page-locked memory by itself: the link is the only limit.",
                  .launch = copy_across,
                  .host_memory = Memory::pinned,
              });

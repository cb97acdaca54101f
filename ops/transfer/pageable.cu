// Memory from malloc may move or be swapped out while a copy runs, so the driver copies it through a small page-locked
// buffer of its own: the bytes are moved twice, and the host's thread is busy with it.
#include "ops/transfer/copy_engine.hpp"

LANEWORK_RUNG(transfer, pageable,
              {
                  .lesson = "Pageable memory goes through the driver's own page-locked buffer: it is copied twice.",
                  .launch = copy_across,
                  .host_memory = Memory::pageable,
              });

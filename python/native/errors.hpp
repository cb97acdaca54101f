// What is thrown, for languages that call C: the kinds of errors. python/lanework/library.py has the same.
#pragma once

#include <cstdint>

extern "C" {
enum lanework_error : int32_t { lanework_ok = 0, lanework_usage = 1, lanework_memory = 2, lanework_failure = 3 };
}

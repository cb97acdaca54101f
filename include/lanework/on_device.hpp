// The namespace of code that is compiled once for each device.
//
// One program holds the same source compiled for cuda, simt and cpu. Functions that rungs share (templates, inline
// functions) would have one name in all of them, and the linker would keep one copy for all: on simt a call could end
// in NVIDIA's runtime. So such headers open `namespace lanework::inline LANEWORK_ON_DEVICE`, which is on_cuda, on_simt
// or on_cpu as the build defines LANEWORK_DEVICE.
#pragma once

#define LANEWORK_ON_TOKENS(device) on_##device
#define LANEWORK_ON(device) LANEWORK_ON_TOKENS(device)
#define LANEWORK_ON_DEVICE LANEWORK_ON(LANEWORK_DEVICE)

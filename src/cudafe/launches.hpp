// Kernel launches: kernel<<<configuration>>>(arguments) becomes a call that a C++ compiler understands.
#pragma once

#include "src/cudafe/kernel_addresses.hpp"
#include "src/cudafe/waiting.hpp"

namespace lanework::cudafe {

/// Rewrites the launches of a stream to
///   ::lanework_simt::launcher("kernel", [&](auto&... lanework_argument) { kernel(lanework_argument...); },
///       LANEWORK_SIGNATURE(kernel)).configure(configuration)(arguments)
/// on the lines where they stand, with loop_launcher for a kernel that never waits for other threads, with
/// region_launcher for one that is cut at its barriers, and through a pointer to
///   ::lanework_simt::pointed_launcher("pointer", pointer).configure(configuration)(arguments)
/// Where an argument is 0, NULL or a list in braces, which are no values, the launcher also gets the launch and the
/// kernel's call as they are written, with names for the arguments that are values, and is given those alone:
///   ::lanework_simt::launcher(…).spelled([](auto& launch, auto&& a) { launch(…a, 0); }, [&](auto& a) { kernel(a, 0);
///   })
///       .configure(configuration)(a)
/// In a macro the lambda copies what it uses: a pointer may be given for the kernel. Configuration and arguments are
/// left for the compiler to split; the lambda keeps overload resolution and conversions those of a call. `macro` is the
/// macro whose body the stream is, or null. An argument `a` for a reference parameter becomes
/// ::lanework_simt::refer(a). Throws MalformedError for a launch without kernel, end or arguments.
void rewrite_launches(const Stream& stream, const Brackets& brackets, const Macro* macro, const Waiting& waiting,
                      const std::set<std::string, std::less<>>& cut_kernels, const KernelNames& kernels, Edits& edits);

}  // namespace lanework::cudafe

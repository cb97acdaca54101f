// The facts about where a measurement was made, for results files.
#include <fmt/format.h>
#include <sys/utsname.h>

#include <lanework/measurement.hpp>
#include <thread>

#include "src/core/host.hpp"
#include "src/core/registry_data.hpp"

namespace lanework {
namespace {

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string operating_system() {
    utsname name{};
    if (uname(&name) != 0) return "unknown";
    return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

}  // namespace

std::vector<Fact> environment() {
    std::vector<Fact> facts{{"lanework", LANEWORK_VERSION},
                            {"compiler", compiler()},
                            {"os", operating_system()},
                            {"cpu", cpu_name()},
                            {"threads", fmt::format("{}", std::thread::hardware_concurrency())}};
    bool has_gpu = false;
    for (const DeviceFactory* factory : generated::devices) {
        if (factory->kind != DeviceKind::cuda) continue;
        has_gpu = has_gpu || factory->availability().count > 0;
        for (int index = 0; index < factory->availability().count; ++index) {
            const std::unique_ptr<Device> device = factory->open(index);
            for (const Property& property : device->info().properties)
                if (property.name == "name" || property.name == "driver" || property.name == "runtime")
                    facts.push_back({fmt::format("cuda:{} {}", index, property.name), property.value});
        }
    }
    for (const Rung* rung : generated::rungs) {
        // A GPU's libraries take longer to load than most commands take; without a GPU none of them is used.
        if (rung->device == DeviceKind::cuda && !has_gpu) continue;
        if (const std::string_view about = rung->about ? rung->about() : ""; !about.empty())
            facts.push_back({std::string(rung->name), std::string(about)});
    }
    facts.push_back({"date", utc_now()});
    return facts;
}

}  // namespace lanework

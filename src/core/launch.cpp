// Finding rungs for every public function.
#include "src/core/launch.hpp"

#include <fmt/format.h>

#include <lanework/error.hpp>

namespace lanework::image {

Choice::Choice(const Operation& operation) : operation_(operation) {
    for (const DeviceKind kind : kDeviceKinds)
        for (const Rung* rung : rungs_by_choice(operation, kind, nullptr)) {
            const Preference* const named = preference(operation, *rung);
            candidates_[static_cast<std::size_t>(kind)].push_back({rung, named ? named->where : nullptr});
        }
}

const Rung& Choice::rung(DeviceKind kind, DType dtype, const void* args) const {
    for (const Candidate& each : candidates_[static_cast<std::size_t>(kind)])
        if (const Rung::Typed* typed = each.rung->typed(dtype); typed && typed->fits_args(each.rung->entry, args))
            return *each.rung;
    throw UnavailableError(fmt::format("{} on {}: {}", operation_.name, name_of(kind), why_none(kind, dtype)));
}

const Rung& Choice::rung(DeviceKind kind, const Problem& problem, const void* args) const {
    std::string_view reason;
    for (const bool preferred : {true, false}) {
        for (const auto& [rung, where] : candidates_[static_cast<std::size_t>(kind)]) {
            const Rung::Typed* const typed = rung->typed(problem.dtype);
            if (!typed || (!where || where(problem)) != preferred) continue;
            const std::string_view refused = rung->refuses ? rung->refuses(problem) : std::string_view();
            if (refused.empty() && (!args || typed->fits_args(rung->entry, args))) return *rung;
            if (reason.empty()) reason = refused;
        }
    }
    throw UnavailableError(fmt::format("{} on {}: {}", operation_.name, name_of(kind),
                                       reason.empty() ? why_none(kind, problem.dtype) : std::string(reason)));
}

std::string Choice::why_none(DeviceKind kind, DType dtype) const {
    std::string what;
    for (const auto& [rung, where] : candidates_[static_cast<std::size_t>(kind)])
        if (rung->typed(dtype) && !rung->only.empty())
            what += fmt::format("{}{} takes {}", what.empty() ? "" : "; ", rung->name, rung->only);
    if (!what.empty()) return "no kernel takes these arguments: " + what;
    for (const DeviceKind other : kDeviceKinds)
        for (const auto& [rung, where] : candidates_[static_cast<std::size_t>(other)])
            if (rung->typed(dtype)) {
                what += fmt::format("{}{}", what.empty() ? "" : " and ", name_of(other));
                break;
            }
    return fmt::format("it has no kernel for {} there{}", name_of(dtype),
                       what.empty() ? " or anywhere" : fmt::format(", but on {}", what));
}

void launch_rung(const Rung& rung, DType dtype, const void* args, Target target) {
    const FirstUses first_uses(target);
    rung.typed(dtype)->launch_args(rung.entry, args, target.stream());
    if (Device* device = target.device()) device->check_launch();
}

std::size_t workspace_of(const Rung& rung, const Problem& problem) {
    constexpr std::size_t kMostBuffers = 16;  // more arrays than any operation has
    void* nowhere[kMostBuffers] = {};
    return rung.typed(problem.dtype)->workspace(rung.entry, problem, {nowhere});
}

}  // namespace lanework::image

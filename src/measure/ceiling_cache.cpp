// Ceilings as JSON.
#include "src/measure/ceiling_cache.hpp"

#include <cmath>
#include <stdexcept>

#include "src/io/json.hpp"

namespace lanework {
namespace {

Json to_json(const std::vector<TransferPoint>& points) {
    Json result = Json::array();
    for (const TransferPoint& point : points) result.push_back({{"bytes", point.bytes}, {"seconds", point.seconds}});
    return result;
}

Json to_json(const std::vector<Ceilings::Rate>& rates) {
    Json result = Json::object();
    for (const Ceilings::Rate& rate : rates) result[std::string(name_of(rate.dtype))] = rate.flops_per_second;
    return result;
}

Json to_json(const Ceilings& ceilings) {
    Json entry = {{"device", ceilings.device},        {"measured_at", ceilings.measured_at},
                  {"copy", to_json(ceilings.copy)},   {"read", to_json(ceilings.read)},
                  {"write", to_json(ceilings.write)}, {"fma_flops_per_second", to_json(ceilings.fma)}};
    if (!ceilings.mma.empty()) entry["mma_flops_per_second"] = to_json(ceilings.mma);
    if (!ceilings.upload.empty()) entry["upload"] = to_json(ceilings.upload);
    if (!ceilings.download.empty()) entry["download"] = to_json(ceilings.download);
    return entry;
}

double positive(double value) {
    if (!std::isfinite(value) || value <= 0) throw std::domain_error("a measured figure must be positive");
    return value;
}

std::vector<TransferPoint> points_from(const Json& list) {
    std::vector<TransferPoint> points;
    for (const Json& point : list)
        points = with_point(std::move(points),
                            {point.at("bytes").get<std::uint64_t>(), positive(point.at("seconds").get<double>())});
    if (points.empty() || points.front().bytes == 0) throw std::domain_error("a curve needs points of some bytes");
    return points;
}

std::vector<Ceilings::Rate> rates_from(const Json& entry) {
    std::vector<Ceilings::Rate> rates;
    for (const DType dtype : kDTypes)
        if (const auto rate = entry.find(std::string(name_of(dtype))); rate != entry.end())
            rates.push_back({dtype, positive(rate->get<double>())});
    return rates;
}

// None where the device has no link.
std::vector<TransferPoint> link_points_from(const Json& entry, const char* direction) {
    const auto found = entry.find(direction);
    return found == entry.end() ? std::vector<TransferPoint>{} : points_from(*found);
}

Ceilings ceilings_from(const Json& entry, const std::string& fingerprint) {
    Ceilings ceilings{.device = entry.at("device").get<std::string>(),
                      .fingerprint = fingerprint,
                      .measured_at = entry.at("measured_at").get<std::string>(),
                      .copy = points_from(entry.at("copy")),
                      .read = points_from(entry.at("read")),
                      .write = points_from(entry.at("write")),
                      .upload = link_points_from(entry, "upload"),
                      .download = link_points_from(entry, "download"),
                      .fma = rates_from(entry.at("fma_flops_per_second")),
                      .mma = {}};
    if (const auto mma = entry.find("mma_flops_per_second"); mma != entry.end()) ceilings.mma = rates_from(*mma);
    return ceilings;
}

}  // namespace

std::optional<Ceilings> load_ceilings(const std::filesystem::path& file, const std::string& fingerprint) {
    const Json devices = read_cache(file).at("devices");
    const auto entry = devices.find(fingerprint);
    if (entry == devices.end()) return std::nullopt;
    try {
        return ceilings_from(*entry, fingerprint);
    } catch (const JsonError&) {
        return std::nullopt;
    } catch (const std::domain_error&) {
        return std::nullopt;
    }
}

void store_ceilings(const std::filesystem::path& file, const Ceilings& ceilings) {
    if (file.empty()) return;
    Json all = read_cache(file);
    all["devices"][ceilings.fingerprint] = to_json(ceilings);
    write_cache(file, all);
}

}  // namespace lanework

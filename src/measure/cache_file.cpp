// One JSON file, replaced as a whole.
#include "src/measure/cache_file.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

#include "src/core/host.hpp"
#include "src/io/file.hpp"
#include "src/io/json.hpp"

namespace lanework {
namespace {

constexpr int kSchema = 1;

}  // namespace

std::filesystem::path ceiling_cache_file() {
    const std::filesystem::path folder = cache_folder();
    return folder.empty() ? folder : folder / "ceilings.json";
}

Json read_cache(const std::filesystem::path& file) {
    const Json empty = {{"schema", kSchema}, {"devices", Json::object()}};
    const Json found = Json::parse_or_null(text_of(file));
    const bool ours = found.is_object() && found.contains("schema") && found["schema"] == kSchema &&
                      found.contains("devices") && found["devices"].is_object();
    return ours ? found : empty;
}

void write_cache(const std::filesystem::path& file, const Json& all) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    std::filesystem::path temporary = file;
    temporary += "." + std::to_string(::getpid()) + ".tmp";
    std::ofstream stream(temporary);
    stream << all.dump(2) << '\n';
    stream.close();
    if (stream) std::filesystem::rename(temporary, file, error);
    if (!stream || error) std::filesystem::remove(temporary, error);
}

}  // namespace lanework

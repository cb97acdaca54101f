// An explanation with what only a page shows: the text of its source and its pictures.
#include "src/io/json.hpp"
#include "src/report/explain/explanation.hpp"
#include "src/report/explain/whole_explanation.hpp"
#include "src/report/html/report.hpp"
#include "src/report/html/source_json.hpp"

namespace lanework {

std::string explained_document(const Explanation& explanation, const Gpu& gpu, SourceText& sources,
                               std::span<const Fact> environment) {
    Json document = Json::parse(explanations_to_json({&explanation, 1}, gpu, environment));
    Json& result = document["results"][0];
    result["gpu"] = gpu.title;
    result["sources"] = sources_json(result, sources, Reach::anywhere);
    result["pictures"] = Json::array();
    for (const Picture& picture : all_pictures(explanation, gpu))
        result["pictures"].push_back({{"file", picture.file}, {"svg", picture.svg}});
    return json_line(document);
}

}  // namespace lanework

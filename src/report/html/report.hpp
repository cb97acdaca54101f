// A report: results, explanations and timelines as one page that opens anywhere, or as Markdown for a pull request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/gpu/gpus.hpp"
#include "src/report/explain/source_text.hpp"
#include "src/report/results/results.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {

/// Results and where they are from: a file, or what was measured for the report.
struct NamedResults {
    std::string name;
    Results results;
};

struct Report {
    std::string title;
    std::vector<NamedResults> sources;
    /// JSON objects: results of explained_document().
    std::vector<std::string> explanations;
    /// JSON documents: of timelines_to_json(), of devices_to_json(), and of the times of neighbour lists.
    std::vector<std::string> timelines, surveys, times;
    /// What the results are compared with; none for no comparison.
    std::optional<NamedResults> before = {};
    /// Differences up to this are the same.
    double threshold = 0.05;
};

/// Adds a JSON document by what it holds: results, explanations (results with "kernels"), timelines, devices, times of
/// lists. Sources that explanations name and do not bring along are read from `sources`, where they lie below its
/// folders. `name` is how people know the document. Throws FileError for anything else.
void add_document(Report& report, const std::string& name, const std::string& json, SourceText& sources);
/// The same from a file; a report names it without its folders.
void add_file(Report& report, const std::string& file, SourceText& sources);

/// All results of the sources, in their order.
Results results_of(const Report& report);

/// The explanation as `explain --json` writes it, a document with one result, and with what only pages show: the text
/// of its source, and pictures of its findings and of its occupancy.
std::string explained_document(const Explanation& explanation, const Gpu& gpu, SourceText& sources,
                               std::span<const Fact> environment);
/// The results of such a document, for Report::explanations.
std::vector<std::string> explanations_in(const std::string& json, SourceText& sources);

/// What the page shows, as JSON: "schema", "title", "sources", "results", "roofs", "explanations", "timelines",
/// "surveys", "times", "comparison".
std::string page_data(const Report& report);
/// As much of an explanation's JSON as the page reads, with the names of its "pictures".
std::string explanation_data(const std::string& explanation);
/// Those pictures: for each explanation the SVGs that it names, as JSON that zlib packed, in base64; empty where there
/// are none.
std::string packed_pictures(const Report& report);
/// One file, UTF-8, which needs no network. Text of users stands in it as data only.
std::string to_html(const Report& report);
/// Whether this build has the library that draws the page's charts; without it the page shows tables.
bool has_charts();

/// The comparison, ladders, findings and where they are from, for a comment or a log.
std::string to_markdown(const Report& report);

}  // namespace lanework

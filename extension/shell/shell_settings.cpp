// Shell settings: the names of output modes.
#include "shell_settings.hpp"

namespace scaup::shell {

namespace {

struct NamedMode {
  OutputMode mode;
  const char* name;
};

constexpr NamedMode kModes[] = {
    {OutputMode::kBox, "box"},           {OutputMode::kAscii, "ascii"},   {OutputMode::kTable, "table"},
    {OutputMode::kCsv, "csv"},           {OutputMode::kTsv, "tsv"},       {OutputMode::kJson, "json"},
    {OutputMode::kJsonLines, "jsonl"},   {OutputMode::kLine, "line"},     {OutputMode::kList, "list"},
    {OutputMode::kMarkdown, "markdown"}, {OutputMode::kInsert, "insert"},
};

}  // namespace

const char* OutputModeName(OutputMode mode) {
  for (const NamedMode& entry : kModes) {
    if (entry.mode == mode) return entry.name;
  }
  return "box";
}

std::optional<OutputMode> FindOutputMode(std::string_view name) {
  for (const NamedMode& entry : kModes) {
    if (name == entry.name) return entry.mode;
  }
  if (name == "jsonlines" || name == "ndjson") return OutputMode::kJsonLines;
  return std::nullopt;
}

std::string OutputModeNames() {
  std::string names;
  for (const NamedMode& entry : kModes) {
    if (!names.empty()) names += ", ";
    names += entry.name;
  }
  return names;
}

}  // namespace scaup::shell

// Follows steps through JSON text and converts the value at their end.
#include "document/document_steps.hpp"

#include "document/document_scanner.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

std::optional<std::string_view> FollowSteps(std::string_view json, std::span<const DocumentStep> steps) {
  std::optional<std::string_view> at = TrimJson(json);
  for (const DocumentStep& step : steps) {
    at = step.is_element ? JsonElement(*at, step.index) : JsonMember(*at, step.key);
    if (!at) return std::nullopt;
    at = TrimJson(*at);
  }
  return at;
}

/// Uses a private dictionary with one path, so that values are scanned as if they were members of a document.
struct JsonValueReader::Work {
  std::shared_ptr<AttributeDictionary> dictionary = std::make_shared<AttributeDictionary>();
  PathId path = dictionary->AddPath(kRootPath, "value");
  DocumentScanner scanner{dictionary};
  DocumentValues values;
};

JsonValueReader::JsonValueReader() : work_(std::make_unique<Work>()) {}
JsonValueReader::~JsonValueReader() = default;

std::optional<JsonValueReader::Value> JsonValueReader::Read(std::string_view text) {
  if (JsonKindOf(text) == JsonKind::kObject && JsonLength(text) != 0) return std::nullopt;
  if (!work_->scanner.Scan(text, work_->path, work_->values)) return std::nullopt;
  const DocumentEntry& entry = work_->values.entries.front();
  return Value{work_->dictionary->attribute(entry.id).type, work_->values.value(0)};
}

}  // namespace scaup

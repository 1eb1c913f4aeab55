// Rows from documents: texts and records.
#include "format/json/json_rows.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "document/document_parser.hpp"
#include "format/json/json_columns.hpp"
#include "type/text/json_text.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

void SetFault(const JsonFault& json, JsonRowFault& fault) {
  fault.offset = json.offset;
  fault.sqlstate = sqlstate::kInvalidTextRepresentation;
  fault.message = fmt::format("the document is not JSON: {}", json.reason);
}

class JsonTexts final : public JsonRows {
 public:
  explicit JsonTexts(const std::vector<WantedJsonColumn>& wanted) {
    if (!wanted.empty()) wanted_ = wanted[0].output;
  }
  void Begin(DataChunk& output, std::shared_ptr<const void> owner) override {
    if (!wanted_) return;
    texts_ = &output.column(*wanted_);
    texts_->Reset();
    texts_->KeepAlive(std::move(owner));
  }
  bool Add(std::string_view document, size_t row, JsonRowFault& fault) override {
    if (!IsJsonDocument(document, fault)) return false;
    if (wanted_) texts_->MutableData<StringRef>()[row] = StringRef(document);
    return true;
  }
  std::optional<JsonRowFault> Finish(size_t, std::vector<bool>*) override { return std::nullopt; }

 private:
  std::optional<size_t> wanted_;
  Vector* texts_ = nullptr;
};

class JsonRecords final : public JsonRows {
 public:
  explicit JsonRecords(const BoundJson& bound) : parser_(bound.dictionary) {}
  void Begin(DataChunk& output, std::shared_ptr<const void>) override {
    records_ = &output.column(0);
    records_->Reset();
  }
  bool Add(std::string_view document, size_t row, JsonRowFault& fault) override {
    record_.clear();
    JsonFault json;
    if (!parser_.Parse(document, record_, json)) {
      SetFault(json, fault);
      return false;
    }
    records_->MutableData<StringRef>()[row] = records_->AddString(record_);
    return true;
  }
  std::optional<JsonRowFault> Finish(size_t, std::vector<bool>*) override { return std::nullopt; }

 private:
  DocumentParser parser_;
  std::string record_;
  Vector* records_ = nullptr;
};

}  // namespace

bool IsJsonDocument(std::string_view document, JsonRowFault& fault) {
  JsonFault json;
  if (const auto invalid = FindInvalidUtf8(document)) {
    fault.offset = *invalid;
    fault.sqlstate = sqlstate::kCharacterNotInRepertoire;
    fault.message = "the document is not valid UTF-8";
    return false;
  }
  if (IsJsonText(document, &json)) return true;
  SetFault(json, fault);
  return false;
}

std::vector<WantedJsonColumn> FindWantedColumns(const TableFunctionCall& call) {
  std::vector<WantedJsonColumn> wanted;
  for (size_t i = 0; i < call.columns.size(); i++) {
    // Columns are of the same kind in all files.
    const FileColumn source = JsonSourceOf(static_cast<const BoundJson&>(call.bound), 0, call.columns[i]);
    if (source.source == FileColumn::Source::kStored) wanted.push_back({i, call.columns[i], source.column});
  }
  return wanted;
}

FileColumn JsonSourceOf(const BoundJson& bound, size_t file, size_t column) {
  if (bound.sources.empty()) return {FileColumn::Source::kStored, column};
  return bound.sources[file][column];
}

std::unique_ptr<JsonRows> MakeJsonRows(const TableFunctionCall& call) {
  const auto& bound = static_cast<const BoundJson&>(call.bound);
  switch (bound.output) {
    case JsonOutput::kText: return std::make_unique<JsonTexts>(FindWantedColumns(call));
    case JsonOutput::kRecords: return std::make_unique<JsonRecords>(bound);
    case JsonOutput::kColumns:
    case JsonOutput::kValues: return MakeJsonColumns(call);
  }
  ThrowInternal("unknown kind of JSON rows");
}

}  // namespace scaup

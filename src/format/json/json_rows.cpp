// Rows from documents: texts, records, or members as columns.
#include "format/json/json_rows.hpp"

#include <fmt/format.h>

#include <map>

#include "common/throw.hpp"
#include "document/document_parser.hpp"
#include "format/text/bad_value.hpp"
#include "function/cast_function.hpp"
#include "type/nested_text.hpp"
#include "type/text/json_text.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

void SetFault(const JsonFault& json, JsonRowFault& fault) {
  fault.offset = json.offset;
  fault.sqlstate = sqlstate::kInvalidTextRepresentation;
  fault.message = fmt::format("the document is not JSON: {}", json.reason);
}

/// Whether the text is valid JSON; sets `fault` if not.
bool IsDocument(std::string_view document, JsonRowFault& fault) {
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

// --- The texts of values, and records
// --------------------------------------------------------------------------------

/// A column that is made of documents.
struct WantedColumn {
  size_t output = 0;  ///< its index in the output
  size_t column = 0;  ///< in the relation
  size_t key = 0;     ///< of the member
};

std::vector<WantedColumn> FindWanted(const TableFunctionCall& call) {
  std::vector<WantedColumn> wanted;
  for (size_t i = 0; i < call.columns.size(); i++) {
    // Columns are of the same kind in all files.
    const FileColumn source = JsonSourceOf(static_cast<const BoundJson&>(call.bound), 0, call.columns[i]);
    if (source.source == FileColumn::Source::kStored) wanted.push_back({i, call.columns[i], source.column});
  }
  return wanted;
}

class JsonTexts final : public JsonRows {
 public:
  explicit JsonTexts(const std::vector<WantedColumn>& wanted) {
    if (!wanted.empty()) wanted_ = wanted[0].output;
  }
  void Begin(DataChunk& output, std::shared_ptr<const void> owner) override {
    if (!wanted_) return;
    texts_ = &output.column(*wanted_);
    texts_->Reset();
    texts_->KeepAlive(std::move(owner));
  }
  bool Add(std::string_view document, size_t row, JsonRowFault& fault) override {
    if (!IsDocument(document, fault)) return false;
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

// --- Members as columns
// -----------------------------------------------------------------------------------------------

/// Returns "a VARCHAR" or "an INTEGER".
std::string WithArticle(const LogicalType& type) {
  const std::string name = type.ToString();
  return (name.find_first_of("AEIO") == 0 ? "an " : "a ") + name;
}

/// Appends a whole number without a redundant point or exponent, in the spelling of integers: 4.0 as 4, 1e3
/// as 1000. Returns false if it is not whole or already so written.
bool AppendIntegral(std::string_view number, std::string& out) {
  if (number.find_first_of(".eE") == std::string_view::npos) return false;
  std::string plain;
  if (!NormalizeJson(number, plain)) return false;
  const size_t point = plain.find('.');
  if (point != std::string::npos) {
    if (plain.find_first_not_of('0', point + 1) != std::string::npos) return false;
    plain.resize(point);
  }
  out += plain;
  return true;
}

/// Appends a value as text that casts to `type`: strings without quotes, arrays and objects in the syntax of
/// lists and structs. REQUIRES: not null.
void AppendValueText(std::string_view json, const LogicalType& type, std::string& out) {
  const JsonKind kind = JsonKindOf(json);
  SCAUP_ASSERT(kind != JsonKind::kNull);
  if (IsJson(type)) {
    out += json;
  } else if (kind == JsonKind::kString) {
    AppendJsonUnescaped(json, out);
  } else if (kind == JsonKind::kArray && type.id() == TypeId::kList) {
    char separator = '{';
    for (JsonIterator elements(json); elements.Next(); separator = ',') {
      out += separator;
      if (JsonKindOf(elements.value()) == JsonKind::kNull) {
        out += "NULL";
        continue;
      }
      std::string element;
      AppendValueText(elements.value(), type.element(), element);
      AppendListItem(element, type.element(), out);
    }
    out += separator == '{' ? "{}" : "}";
  } else if (kind == JsonKind::kObject && type.id() == TypeId::kStruct) {
    char separator = '(';
    for (const StructField& field : type.fields()) {
      out += separator;
      separator = ',';
      const auto member = JsonMember(json, field.name);
      if (!member || JsonKindOf(*member) == JsonKind::kNull) continue;
      std::string text;
      AppendValueText(*member, field.type, text);
      AppendStructItem(text, out);
    }
    out += ')';
  } else if (kind != JsonKind::kNumber || !type.IsInteger() || !AppendIntegral(json, out)) {
    out += json;
  }
}

/// Collects the members of objects as texts, and casts them to the columns' types a vector at a time.
class JsonColumns final : public JsonRows {
 public:
  explicit JsonColumns(const TableFunctionCall& call)
      : context_(call.context),
        bound_(static_cast<const BoundJson&>(call.bound)),
        keys_(bound_.keys.empty() ? bound_.column_names : bound_.keys),
        wanted_(FindWanted(call)),
        text_of_key_(keys_.size()) {
    for (size_t i = 0; i < keys_.size(); i++) places_.emplace(keys_[i], i);
    for (size_t i = 0; i < wanted_.size(); i++) {
      text_of_key_[wanted_[i].key] = i;
      texts_.emplace_back(LogicalType(TypeId::kVarchar));
    }
  }

  void Begin(DataChunk& output, std::shared_ptr<const void> owner) override {
    output_ = &output;
    for (Vector& texts : texts_) {
      texts.Reset();
      texts.KeepAlive(owner);
      ValidityWord* validity = texts.MutableValidity();
      for (size_t row = 0; row < kVectorSize; row++) SetInvalid(validity, row);
    }
  }

  bool Add(std::string_view document, size_t row, JsonRowFault& fault) override {
    if (!IsDocument(document, fault)) return false;
    if (bound_.output == JsonOutput::kColumns && JsonKindOf(document) != JsonKind::kObject) {
      fault.offset = 0;
      fault.sqlstate = sqlstate::kBadCopyFileFormat;
      fault.message = "the document is not an object, whose members could be columns";
      return false;
    }
    for (Vector& texts : texts_) SetInvalid(texts.MutableValidity(), row);  // of a faulty document
    try {
      if (bound_.output == JsonOutput::kColumns) return AddMembers(document, row, fault);
      for (size_t i = 0; i < texts_.size(); i++) Put(document, TypeOf(i), row, texts_[i]);
      return true;
    } catch (const Error& error) {  // a string that no SQL text can hold; rare
      if (error.kind() != ErrorKind::kConversion) throw;
      fault.offset = 0;
      fault.sqlstate = sqlstate::kUntranslatableCharacter;
      fault.message = error.what();
      return false;
    }
  }

  std::optional<JsonRowFault> Finish(size_t count, std::vector<bool>* bad_rows) override {
    std::optional<JsonRowFault> first;
    for (size_t i = 0; i < texts_.size(); i++) {
      const LogicalType& type = TypeOf(i);
      Vector& result = output_->column(wanted_[i].output);
      if (type.id() == TypeId::kVarchar) {
        result.Reference(texts_[i]);
        continue;
      }
      result.Reset();
      const auto cast = FindCast(TypeId::kVarchar, type);
      if (!cast) ThrowInternal("no cast from VARCHAR to " + type.ToString());
      const LogicalType text_type = TypeId::kVarchar;
      cast->kernel({context_, text_type, type, true}, texts_[i], count, result);
      NoteBadRows(i, count, result, bad_rows, first);
    }
    return first;
  }

 private:
  const LogicalType& TypeOf(size_t text) const { return bound_.column_types[wanted_[text].column]; }

  bool AddMembers(std::string_view document, size_t row, JsonRowFault& fault) {
    size_t expected = 0;
    for (JsonIterator members(document); members.Next(); expected++) {
      const auto place = FindColumn(members.quoted_name(), expected);
      if (!place && bound_.ignore_unknown_keys) continue;
      if (!place) {
        fault.offset = static_cast<size_t>(members.quoted_name().data() - document.data());
        fault.sqlstate = sqlstate::kBadCopyFileFormat;
        fault.message = fmt::format(
            "the document has the key {}, but the table has no such column; UNKNOWN_KEYS 'ignore' leaves it "
            "out",
            ShortenedText(members.quoted_name()));
        return false;
      }
      if (const auto text = text_of_key_[*place]) Put(members.value(), TypeOf(*text), row, texts_[*text]);
    }
    return true;
  }

  /// Finds the column of a member; mostly it is at the expected position.
  std::optional<size_t> FindColumn(std::string_view quoted, size_t expected) {
    std::string_view name = quoted.substr(1, quoted.size() - 2);
    if (name.find('\\') != std::string_view::npos) {
      unescaped_.clear();
      AppendJsonUnescaped(quoted, unescaped_);
      name = unescaped_;
    }
    if (expected < keys_.size() && keys_[expected] == name) return expected;
    const auto found = places_.find(name);
    if (found == places_.end()) return std::nullopt;
    return found->second;
  }

  void Put(std::string_view json, const LogicalType& type, size_t row, Vector& texts) {
    const JsonKind kind = JsonKindOf(json);
    if (kind == JsonKind::kNull) return SetInvalid(texts.MutableValidity(), row);
    SetValid(texts.MutableValidity(), row);
    StringRef& text = texts.MutableData<StringRef>()[row];
    const bool has_text = kind == JsonKind::kString && !IsJson(type);
    const bool is_other_integer =
        kind == JsonKind::kNumber && type.IsInteger() && json.find_first_of(".eE") != std::string_view::npos;
    if (has_text && json.find('\\') == std::string_view::npos) {
      text = StringRef(json.substr(1, json.size() - 2));
    } else if (has_text || is_other_integer || (kind == JsonKind::kArray && type.id() == TypeId::kList) ||
               (kind == JsonKind::kObject && type.id() == TypeId::kStruct)) {
      text_.clear();
      AppendValueText(json, type, text_);
      text = texts.AddString(text_);
    } else {
      text = StringRef(json);
    }
  }

  /// Values that the cast has turned into NULL are not of the type.
  void NoteBadRows(size_t index, size_t count, Vector& result, std::vector<bool>* bad_rows,
                   std::optional<JsonRowFault>& first) {
    const UnifiedView view = result.View(count);
    if (view.validity == nullptr) return;
    for (size_t row = 0; row < count; row++) {
      if (view.IsValid(row) || !TestValid(texts_[index].Validity(), row)) continue;
      if (bad_rows != nullptr) {
        (*bad_rows)[row] = true;
        continue;
      }
      if (first && first->row <= row) return;
      const LogicalType& type = TypeOf(index);
      first.emplace();
      first->row = row;
      first->sqlstate = BadValueState(type);
      first->message = fmt::format("\"{}\" of key \"{}\" is not {}",
                                   ShortenedText(texts_[index].Data<StringRef>()[row].view()),
                                   bound_.column_names[wanted_[index].column], WithArticle(type));
      return;
    }
  }

  const FunctionContext& context_;
  const BoundJson& bound_;
  const std::vector<std::string>& keys_;
  std::map<std::string, size_t, std::less<>> places_;
  const std::vector<WantedColumn> wanted_;
  std::vector<std::optional<size_t>> text_of_key_;  // in texts_
  std::vector<Vector> texts_;                       // of wanted_
  DataChunk* output_ = nullptr;
  std::string unescaped_, text_;
};

}  // namespace

FileColumn JsonSourceOf(const BoundJson& bound, size_t file, size_t column) {
  if (bound.sources.empty()) return {FileColumn::Source::kStored, column};
  return bound.sources[file][column];
}

std::unique_ptr<JsonRows> MakeJsonRows(const TableFunctionCall& call) {
  const auto& bound = static_cast<const BoundJson&>(call.bound);
  switch (bound.output) {
    case JsonOutput::kText: return std::make_unique<JsonTexts>(FindWanted(call));
    case JsonOutput::kRecords: return std::make_unique<JsonRecords>(bound);
    case JsonOutput::kColumns:
    case JsonOutput::kValues: return std::make_unique<JsonColumns>(call);
  }
  ThrowInternal("unknown kind of JSON rows");
}

}  // namespace scaup

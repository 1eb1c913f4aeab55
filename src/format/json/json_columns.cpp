// Finds the columns of members, and writes their values.
#include "format/json/json_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/throw.hpp"
#include "format/json/json_values.hpp"
#include "format/text/bad_value.hpp"

namespace scaup {

namespace {

/// Returns "a VARCHAR" or "an INTEGER".
std::string WithArticle(const LogicalType& type) {
  const std::string name = type.ToString();
  return (name.find_first_of("AEIO") == 0 ? "an " : "a ") + name;
}

class JsonColumns final : public JsonRows {
 public:
  explicit JsonColumns(const TableFunctionCall& call)
      : bound_(static_cast<const BoundJson&>(call.bound)),
        keys_(bound_.keys.empty() ? bound_.column_names : bound_.keys),
        wanted_(FindWantedColumns(call)),
        writer_of_key_(keys_.size()) {
    for (size_t i = 0; i < keys_.size(); i++) places_.emplace(keys_[i], i);
    for (size_t i = 0; i < wanted_.size(); i++) {
      writer_of_key_[wanted_[i].key] = i;
      writers_.emplace_back(bound_.column_types[wanted_[i].column], &call.context.Zone());
    }
  }

  void Begin(DataChunk& output, std::shared_ptr<const void> owner) override {
    for (size_t i = 0; i < writers_.size(); i++) writers_[i].Begin(output.column(wanted_[i].output), owner);
    bad_values_.clear();
  }

  bool Add(std::string_view document, size_t row, JsonRowFault& fault) override {
    if (!tokens_.Parse(document)) {
      if (IsJsonDocument(document, fault)) ThrowInternal("a JSON document was refused that is one");
      return false;
    }
    for (JsonValueWriter& writer : writers_) writer.Clear(row);
    while (!bad_values_.empty() && bad_values_.back().row == row)
      bad_values_.pop_back();  // of a bad document
    const bool are_columns = bound_.output == JsonOutput::kColumns;
    if (are_columns && tokens_.kind(JsonTokens::kRoot) != JsonKind::kObject) {
      fault.offset = 0;
      fault.sqlstate = sqlstate::kBadCopyFileFormat;
      fault.message = "the document is not an object, whose members could be columns";
      return false;
    }
    try {
      if (are_columns) return AddMembers(document, row, fault);
      for (size_t i = 0; i < writers_.size(); i++) Write(JsonTokens::kRoot, row, i);
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
    const BadValue* first = nullptr;
    for (const BadValue& bad : bad_values_) {
      if (bad.row >= count) continue;
      if (bad_rows != nullptr) (*bad_rows)[bad.row] = true;
      const bool is_earlier =
          first == nullptr || std::pair(bad.row, bad.writer) < std::pair(first->row, first->writer);
      if (is_earlier) first = &bad;
    }
    if (first == nullptr || bad_rows != nullptr) return std::nullopt;
    const LogicalType& type = writers_[first->writer].type();
    return JsonRowFault{first->row, 0, BadValueState(type),
                        fmt::format("\"{}\" of key \"{}\" is not {}", ShortenedText(first->text),
                                    bound_.column_names[wanted_[first->writer].column], WithArticle(type))};
  }

 private:
  struct BadValue {
    size_t row;
    size_t writer;
    std::string text;
  };

  void Write(size_t value, size_t row, size_t writer) {
    const auto is_same = [&](const BadValue& bad) { return bad.row == row && bad.writer == writer; };
    // The last of members with the same name counts.
    if (!bad_values_.empty()) std::erase_if(bad_values_, is_same);
    if (writers_[writer].Write(tokens_, value, row)) return;
    const JsonKind kind = tokens_.kind(value);
    const bool has_parts = kind == JsonKind::kArray || kind == JsonKind::kObject;
    bad_values_.push_back(
        {row, writer, has_parts ? std::string(tokens_.text(value)) : writers_[writer].bad_text()});
  }

  bool AddMembers(std::string_view document, size_t row, JsonRowFault& fault) {
    size_t expected = 0;
    bool is_good = true;
    tokens_.ForMembers(JsonTokens::kRoot, [&](std::string_view quoted, size_t value) {
      if (!is_good) return;
      const auto place = FindColumn(quoted, expected++);
      if (!place && bound_.ignore_unknown_keys) return;
      if (!place) {
        fault.offset = static_cast<size_t>(quoted.data() - document.data());
        fault.sqlstate = sqlstate::kBadCopyFileFormat;
        fault.message = fmt::format(
            "the document has the key {}, but the table has no such column; UNKNOWN_KEYS 'ignore' leaves it "
            "out",
            ShortenedText(quoted));
        is_good = false;
        return;
      }
      if (const auto writer = writer_of_key_[*place]) Write(value, row, *writer);
    });
    return is_good;
  }

  /// Finds the column of a member; mostly it is at the expected position.
  std::optional<size_t> FindColumn(std::string_view quoted, size_t expected) {
    std::string_view name = quoted.substr(1, quoted.size() - 2);
    if (tokens_.HasEscape(name)) {
      unescaped_.clear();
      AppendJsonUnescaped(quoted, unescaped_);
      name = unescaped_;
    }
    if (expected < keys_.size() && keys_[expected] == name) return expected;
    const auto found = places_.find(name);
    if (found == places_.end()) return std::nullopt;
    return found->second;
  }

  const BoundJson& bound_;
  const std::vector<std::string>& keys_;
  std::map<std::string, size_t, std::less<>> places_;
  const std::vector<WantedJsonColumn> wanted_;
  std::vector<std::optional<size_t>> writer_of_key_;
  std::vector<JsonValueWriter> writers_;  // of wanted_
  JsonTokens tokens_;
  std::vector<BadValue> bad_values_;
  std::string unescaped_;
};

}  // namespace

std::unique_ptr<JsonRows> MakeJsonColumns(const TableFunctionCall& call) {
  return std::make_unique<JsonColumns>(call);
}

}  // namespace scaup

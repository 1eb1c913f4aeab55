// Random documents: text comes back, projections and changes are those of a simple model.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "document/attribute/document_path.hpp"
#include "document/document_change.hpp"
#include "document_fixture.hpp"
#include "document_model.hpp"
#include "scaup/error.hpp"
#include "type/number/number_text.hpp"

namespace scaup {
namespace {

using Kind = JsonModel::Kind;

bool IsInteger(const JsonModel& value) {
  int64_t integer = 0;
  return value.kind == Kind::kNumber && value.text != "-0" &&
         value.text.find_first_of(".eE") == std::string::npos && ParseInteger(value.text, integer);
}

std::vector<std::string> KeysOf(const AttributeDictionary& dictionary, PathId path) {
  return SplitPath(dictionary.NameOf(path)).value();
}

/// What a projection of a value gives, as text, as far as this is simple to say; nullopt: NULL.
std::optional<std::string> Expected(const JsonModel* value, TypeId type) {
  if (value == nullptr || value->kind == Kind::kNull) return std::nullopt;
  switch (type) {
    case TypeId::kJson: return value->Compact();
    case TypeId::kVarchar: return value->kind == Kind::kString ? std::optional(value->text) : std::nullopt;
    case TypeId::kBoolean: return value->kind == Kind::kBoolean ? std::optional(value->text) : std::nullopt;
    case TypeId::kBigInt: return IsInteger(*value) ? std::optional(value->text) : std::nullopt;
    case TypeId::kDouble: {
      if (value->kind != Kind::kNumber) return std::nullopt;
      char text[kFormatBufferBytes];
      return std::string(text, FormatDouble(std::strtod(value->text.c_str(), nullptr), text));
    }
    default: return std::nullopt;
  }
}

void CheckProjections(const DocumentFixture& documents, const std::vector<std::string>& records,
                      const std::vector<JsonModel>& models, JsonModelMaker& maker) {
  const std::vector<PathId> paths = documents.dictionary->AllPaths();
  if (paths.empty()) return;
  std::vector<DocumentProjection> projections;
  std::vector<Vector> columns;
  std::vector<Vector*> outputs;
  for (size_t i = 1 + maker.Below(40); i > 0; i--) {
    static const TypeId kTypes[] = {TypeId::kJson, TypeId::kVarchar, TypeId::kBoolean, TypeId::kBigInt,
                                    TypeId::kDouble};
    projections.push_back({maker.Below(30) == 0 ? kRootPath : paths[maker.Below(paths.size())],
                           kTypes[maker.Below(std::size(kTypes))]});
    columns.emplace_back(projections.back().type);
    columns.back().Reset();
  }
  for (Vector& column : columns) outputs.push_back(&column);
  Vector vector(TypeId::kBlob);
  vector.Reset();
  for (size_t row = 0; row < records.size(); row++)
    vector.MutableData<StringRef>()[row] = vector.AddString(records[row]);
  DocumentReader reader(documents.dictionary, projections);
  reader.Read(vector, records.size(), outputs);
  for (size_t i = 0; i < projections.size(); i++) {
    const std::vector<std::string> keys = KeysOf(*documents.dictionary, projections[i].path);
    for (size_t row = 0; row < records.size(); row++) {
      const auto expected = Expected(models[row].At(keys), projections[i].type.id());
      const Value value = columns[i].GetValue(row);
      if (value.is_null() != !expected || (expected && value.ToString() != *expected)) {
        CAPTURE(models[row].Compact(), documents.dictionary->NameOf(projections[i].path),
                projections[i].type.ToString());
        REQUIRE((value.is_null() ? "NULL" : value.ToString()) == expected.value_or("NULL"));
      }
    }
  }
}

}  // namespace

TEST_CASE("Random documents come back and are read", "[document][property]") {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    CAPTURE(seed);
    JsonModelMaker maker(seed);
    DocumentFixture documents;
    const bool with_equal_keys = seed % 3 == 0;
    for (int round = 0; round < 3; round++) {
      std::vector<std::string> records;
      std::vector<JsonModel> models;
      for (int i = 0; i < 60; i++) {
        models.push_back(maker.Document(with_equal_keys));
        const std::string text = maker.Spell(models.back()), expected = models.back().Compact();
        records.push_back(documents.Parse(text));
        const std::string back = documents.Text(records.back());
        if (back != expected) {
          CAPTURE(text);
          REQUIRE(back == expected);
        }
      }
      CheckProjections(documents, records, models, maker);
    }
  }
}

TEST_CASE("Texts of random bytes are refused as JSON text is", "[document][property]") {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    JsonModelMaker maker(seed);
    DocumentFixture documents;
    for (int i = 0; i < 200; i++) {
      std::string text = maker.Spell(maker.Document(true));
      for (size_t edits = 1 + maker.Below(3); edits > 0; edits--) {
        static const char kBytes[] = "{}[]:,\"\\ 0-.eEtnu\n\x01\x0C\x1A";
        const char byte = kBytes[maker.Below(sizeof(kBytes))];
        const size_t place = maker.Below(text.size());
        switch (maker.Below(3)) {
          case 0: text[place] = byte; break;
          case 1: text.insert(place, 1, byte); break;
          default:
            if (text.size() > 1) text.erase(place, 1);
        }
      }
      // In memory of its own length, so that a sanitizer sees who reads past the end.
      const std::vector<char> bytes(text.begin(), text.end());
      const std::string_view view(bytes.data(), bytes.size());
      JsonFault expected, fault;
      const bool is_json = IsJsonText(view, &expected);
      const bool is_document = is_json && JsonKindOf(view) == JsonKind::kObject;
      std::string record;
      if (documents.parser.Parse(view, record, fault)) {
        CAPTURE(text);
        REQUIRE(is_document);
        REQUIRE(IsJsonText(documents.Text(record)));
      } else {
        CAPTURE(text, fault.reason);
        REQUIRE((!is_document || std::string_view(fault.reason).find("u0000") != std::string_view::npos ||
                 std::string_view(fault.reason) == "it is not UTF-8"));
        REQUIRE(record.empty());
      }
    }
  }
}

TEST_CASE("Random changes are those of the model", "[document][property]") {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    CAPTURE(seed);
    JsonModelMaker maker(1000 + seed);
    DocumentFixture documents;
    const bool with_equal_keys = seed % 3 == 0;
    for (int round = 0; round < 40; round++) {
      std::vector<std::vector<std::string>> all_keys;
      std::vector<PathId> paths;
      for (size_t i = 1 + maker.Below(3); i > 0; i--) {
        std::vector<std::string> keys;
        PathId path = kRootPath;
        for (size_t depth = 1 + maker.Below(3); depth > 0; depth--) {
          keys.push_back(maker.Key());
          path = documents.dictionary->AddPath(path, keys.back());
        }
        all_keys.push_back(keys);
        paths.push_back(path);
      }
      DocumentChange change(documents.dictionary, paths);
      for (int i = 0; i < 10; i++) {
        JsonModel model = maker.Document(with_equal_keys);
        std::string record = documents.Parse(maker.Spell(model)), before = model.Compact(), changes;
        for (int again = 0; again < 2; again++) {
          std::vector<std::string> texts(paths.size());
          std::vector<std::optional<std::string_view>> values(paths.size());
          const JsonModel unchanged = model;
          bool is_taken = true;
          for (size_t p = 0; p < paths.size() && is_taken; p++) {
            changes += documents.dictionary->NameOf(paths[p]) + " = ";
            if (maker.Below(3) == 0) {
              model.Remove(all_keys[p]);
              changes += "nothing; ";
              continue;
            }
            const JsonModel value = maker.Value(3, with_equal_keys && maker.Below(4) == 0);
            texts[p] = maker.Spell(value);
            values[p] = texts[p];
            is_taken = model.Takes(all_keys[p]);
            if (is_taken) model.Set(all_keys[p], value);
            changes += value.Compact() + "; ";
          }
          std::string changed;
          if (!is_taken) {
            REQUIRE_THROWS(change.Apply(record, values, changed));
            model = unchanged;
            continue;
          }
          change.Apply(record, values, changed);
          const std::string text = documents.Text(changed);
          if (text != model.Compact()) {
            CAPTURE(before, changes);
            REQUIRE(text == model.Compact());
          }
          // Projections of what was changed see what parsing would give.
          for (const auto& keys : all_keys) {
            std::string name;
            for (const std::string& key : keys) AppendPathKey(key, name);
            const JsonModel* const value = model.At(keys);
            REQUIRE(documents.TextAt(changed, name) == (value != nullptr ? value->Compact() : "none"));
          }
          record = changed;
        }
      }
    }
  }
}

}  // namespace scaup

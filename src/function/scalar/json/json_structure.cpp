// json_structure: the structure of a JSON value, as json_transform takes it.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/stack_bound.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/text_account.hpp"
#include "type/number/number_text.hpp"
#include "type/text/json_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Knowledge of the values at one place. Kinds that do not fit together are kJson.
struct Structure {
  /// Kinds of values. Of numbers, each holds those before it, but for large unsigned ones.
  enum class Kind : uint8_t { kNull, kBoolean, kUnsigned, kInteger, kDouble, kText, kList, kObject, kJson };

  Kind kind = Kind::kNull;
  /// The members of an object by their quoted names, in the order in which they came; or a list's elements.
  std::vector<std::pair<std::string, Structure>> parts = {};

  bool IsNumber() const { return kind >= Kind::kUnsigned && kind <= Kind::kDouble; }
  void Merge(Structure other);
  void Append(std::string& out) const;
};

void Structure::Merge(Structure other) {
  if (other.kind == Kind::kNull) return;
  if (kind == Kind::kNull) {
    *this = std::move(other);
  } else if (IsNumber() && other.IsNumber()) {
    kind = std::max(kind, other.kind);
  } else if (kind != other.kind) {
    *this = {Kind::kJson};
  } else {
    for (auto& [name, part] : other.parts) {
      const auto found =
          std::find_if(parts.begin(), parts.end(), [&](const auto& known) { return known.first == name; });
      if (found == parts.end()) {
        parts.emplace_back(name, std::move(part));
      } else {
        found->second.Merge(std::move(part));
      }
    }
  }
}

void Structure::Append(std::string& out) const {
  constexpr std::string_view kNames[] = {"NULL", "BOOLEAN", "UBIGINT", "BIGINT", "DOUBLE", "VARCHAR"};
  if (kind == Kind::kList) {
    out += '[';
    parts.empty() ? void(out += "\"NULL\"") : parts[0].second.Append(out);
    out += ']';
  } else if (kind == Kind::kObject && !parts.empty()) {
    for (size_t i = 0; i < parts.size(); i++) {
      out += i == 0 ? "{" : ",";
      out += parts[i].first;
      out += ':';
      parts[i].second.Append(out);
    }
    out += '}';
  } else {
    out += '"';
    out += kind <= Kind::kText ? kNames[static_cast<size_t>(kind)] : "JSON";
    out += '"';
  }
}

Structure::Kind KindOfNumber(std::string_view text) {
  uint64_t whole;
  int64_t integer;
  if (ParseInteger(text, whole)) return Structure::Kind::kUnsigned;
  return ParseInteger(text, integer) ? Structure::Kind::kInteger : Structure::Kind::kDouble;
}

Structure StructureOf(std::string_view json) {
  using Kind = Structure::Kind;
  CheckStack();
  Structure result;
  switch (JsonKindOf(json)) {
    case JsonKind::kNull: break;
    case JsonKind::kBoolean: result.kind = Kind::kBoolean; break;
    case JsonKind::kNumber: result.kind = KindOfNumber(TrimJson(json)); break;
    case JsonKind::kString: result.kind = Kind::kText; break;
    case JsonKind::kArray:
      result.kind = Kind::kList;
      for (JsonIterator elements(json); elements.Next();) {
        if (result.parts.empty()) result.parts.emplace_back();
        result.parts[0].second.Merge(StructureOf(elements.value()));
      }
      break;
    case JsonKind::kObject:
      result.kind = Kind::kObject;
      for (JsonIterator members(json); members.Next();) {
        Structure member{Kind::kObject};
        member.parts.emplace_back(std::string(members.quoted_name()), StructureOf(members.value()));
        result.Merge(std::move(member));
      }
  }
  return result;
}

void Describe(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TextAccount account(call.context);
  std::string text;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& json) {
    text.clear();
    StructureOf(json.view()).Append(text);
    account.Note(text);
    return result.AddString(text);
  });
}

}  // namespace

ScalarFunctionList JsonStructureFunctions() {
  ScalarFunctionList list;
  list.push_back({.name = "json_structure",
                  .argument_types = {TypeId::kJson},
                  .return_type = TypeId::kJson,
                  .kernel = &Describe,
                  .description = "The names and types in a value, as json_transform takes them.",
                  .example = "json_structure('{\"a\": 1, \"b\": [\"x\", null]}')"});
  return list;
}

}  // namespace scaup

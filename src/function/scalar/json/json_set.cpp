// Changes JSONB values at a path of names and positions: jsonb_set, jsonb_set_lax, jsonb_insert, #-.
#include <fmt/format.h>

#include <limits>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json/json_path.hpp"
#include "type/number/number_text.hpp"
#include "type/text/json_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

using TextPath = std::vector<std::optional<std::string>>;

/// The change at the place that a path leads to.
enum class PathChange : unsigned char {
  kReplace,       ///< its value is replaced if there is one
  kSet,           ///< the same, or the value is added
  kInsertBefore,  ///< the value is added before an element, or as a new member
  kInsertAfter,
  kDelete,
};

/// Rewrites one value. Use it for any number of rows, in one thread.
class JsonbPathChanger {
 public:
  /// Returns the changed value in normal form; it lives until the next call. `value` is not used to delete.
  std::string_view Change(PathChange change, std::string_view json, const TextPath& path,
                          std::string_view value);

 private:
  bool IsLast(size_t level) const { return level + 1 == path_->size(); }
  bool Adds() const { return change_ != PathChange::kReplace && change_ != PathChange::kDelete; }
  void Rewrite(std::string_view json, size_t level);
  void RewriteObject(std::string_view json, size_t level);
  void RewriteArray(std::string_view json, size_t level);
  void RewriteElement(std::string_view element, size_t level);
  int64_t PositionAt(size_t level, int64_t length) const;
  void Separate() {
    if (changed_.back() != '[' && changed_.back() != '{') changed_ += ", ";
  }
  void Put(std::string_view json) {
    Separate();
    changed_ += json;
  }
  void PutMember(std::string_view quoted_name, std::string_view json) {
    Put(quoted_name);
    changed_ += ": ";
    changed_ += json;
  }

  PathChange change_ = PathChange::kSet;
  const TextPath* path_ = nullptr;
  std::string_view value_;
  std::string changed_, normal_;
  bool has_new_member_ = false;  // which stands last, where the normal form may not have it
};

std::string_view JsonbPathChanger::Change(PathChange change, std::string_view json, const TextPath& path,
                                          std::string_view value) {
  const JsonKind kind = JsonKindOf(json);
  if (kind != JsonKind::kObject && kind != JsonKind::kArray) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
               change == PathChange::kDelete ? "cannot delete path in scalar" : "cannot set path in scalar");
  }
  change_ = change;
  path_ = &path;
  value_ = value;
  if (path.empty() || (!Adds() && JsonLength(json) == 0)) return json;
  changed_.clear();
  has_new_member_ = false;
  Rewrite(json, 0);
  if (!has_new_member_) return changed_;
  if (!NormalizeJson(changed_, normal_)) ThrowJsonError(changed_, true);
  return normal_;
}

void JsonbPathChanger::Rewrite(std::string_view json, size_t level) {
  CheckStack();
  if (!(*path_)[level]) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kNullValueNotAllowed,
               fmt::format("path element at position {} is null", level + 1));
  }
  switch (JsonKindOf(json)) {
    case JsonKind::kObject: RewriteObject(json, level); break;
    case JsonKind::kArray: RewriteArray(json, level); break;
    case JsonKind::kNull:
    case JsonKind::kBoolean:
    case JsonKind::kNumber:
    case JsonKind::kString: changed_ += json; break;
  }
}

void JsonbPathChanger::RewriteObject(std::string_view json, size_t level) {
  std::string name;
  AppendJsonString(*(*path_)[level], name);  // in normal form, equal names have equal texts
  changed_ += '{';
  bool is_found = false;
  for (JsonIterator members(json); members.Next();) {
    if (members.quoted_name() != name) {
      PutMember(members.quoted_name(), members.value());
      continue;
    }
    is_found = true;
    if (!IsLast(level)) {
      PutMember(name, "");
      Rewrite(members.value(), level + 1);
    } else if (change_ == PathChange::kInsertBefore || change_ == PathChange::kInsertAfter) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 fmt::format("cannot replace existing key {}; jsonb_set replaces values", name));
    } else if (change_ != PathChange::kDelete) {
      PutMember(name, value_);
    }
  }
  if (!is_found && IsLast(level) && Adds()) {
    PutMember(name, value_);
    has_new_member_ = true;
  }
  changed_ += '}';
}

/// The position that a step means in an array: from 0 to `length`, or -1 for what is before the first
/// element.
int64_t JsonbPathChanger::PositionAt(size_t level, int64_t length) const {
  const std::string& step = *(*path_)[level];
  int32_t position;
  std::string_view digits = step;
  while (!digits.empty() && (digits[0] == ' ' || (digits[0] >= '\t' && digits[0] <= '\r')))
    digits.remove_prefix(1);
  const bool has_space_behind = !digits.empty() && (digits.back() < '0' || digits.back() > '9');
  if (has_space_behind || !ParseInteger(digits, position)) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
               fmt::format("path element at position {} is not an integer: \"{}\"", level + 1, step));
  }
  if (position >= 0) return std::min<int64_t>(position, length);
  return std::max<int64_t>(position + length, -1);
}

void JsonbPathChanger::RewriteElement(std::string_view element, size_t level) {
  if (!IsLast(level)) {
    Separate();
    Rewrite(element, level + 1);
    return;
  }
  const bool keeps = change_ == PathChange::kInsertBefore || change_ == PathChange::kInsertAfter;
  const bool puts_first = change_ == PathChange::kInsertBefore || change_ == PathChange::kSet;
  if (puts_first) Put(value_);
  if (keeps) Put(element);
  if (change_ == PathChange::kInsertAfter || change_ == PathChange::kReplace) Put(value_);
}

void JsonbPathChanger::RewriteArray(std::string_view json, size_t level) {
  const auto length = static_cast<int64_t>(JsonLength(json));
  const int64_t position = PositionAt(level, length);
  changed_ += '[';
  if (position < 0 && IsLast(level) && Adds()) Put(value_);
  int64_t index = 0;
  for (JsonIterator elements(json); elements.Next(); index++) {
    index == position ? RewriteElement(elements.value(), level) : Put(elements.value());
  }
  if (position == length && IsLast(level) && Adds()) Put(value_);
  changed_ += ']';
}

/// Unpacks the path of a row, once per run of rows that share it.
class TextPathReader {
 public:
  const TextPath& Read(std::string_view list) {
    if (!last_ || *last_ != list) {
      path_ = ReadTexts(list);
      last_ = list;
    }
    return path_;
  }

 private:
  std::optional<std::string> last_;
  TextPath path_;
};

void DeletePath(const ScalarCall&, DataChunk& arguments, Vector& result) {
  JsonbPathChanger changer;
  TextPathReader paths;
  MapBinary<StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& json, const StringRef& path) {
        return result.AddString(
            changer.Change(PathChange::kDelete, json.view(), paths.Read(path.view()), ""));
      });
}

/// jsonb_set and jsonb_insert; the last argument, if given, chooses between two changes.
template <PathChange kIfFalse, PathChange kIfTrue, bool kByDefault>
void ChangePath(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  const auto steps = arguments.column(1).ViewAs<StringRef>(count);
  const auto news = arguments.column(2).ViewAs<StringRef>(count);
  std::optional<TypedView<uint8_t>> flags;
  if (arguments.column_count() == 4) flags = arguments.column(3).ViewAs<uint8_t>(count);
  JsonbPathChanger changer;
  TextPathReader paths;
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row) || !steps.IsValid(row) || !news.IsValid(row) ||
        (flags && !flags->IsValid(row))) {
      result.SetNull(row);
      continue;
    }
    const bool flag = flags ? (*flags)[row] != 0 : kByDefault;
    result.MutableData<StringRef>()[row] = result.AddString(changer.Change(
        flag ? kIfTrue : kIfFalse, values[row].view(), paths.Read(steps[row].view()), news[row].view()));
  }
}

[[noreturn]] void ThrowTreatment() {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or "
             "\"raise_exception\"");
}

/// jsonb_set where a NULL value is treated as the last argument says.
void SetLax(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size(), argument_count = arguments.column_count();
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  const auto steps = arguments.column(1).ViewAs<StringRef>(count);
  const auto news = arguments.column(2).ViewAs<StringRef>(count);
  std::optional<TypedView<uint8_t>> flags;
  std::optional<TypedView<StringRef>> treatments;
  if (argument_count > 3) flags = arguments.column(3).ViewAs<uint8_t>(count);
  if (argument_count > 4) treatments = arguments.column(4).ViewAs<StringRef>(count);
  JsonbPathChanger changer;
  TextPathReader paths;
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row) || !steps.IsValid(row) || (flags && !flags->IsValid(row))) {
      result.SetNull(row);
      continue;
    }
    if (treatments && !treatments->IsValid(row)) ThrowTreatment();
    PathChange change = !flags || (*flags)[row] != 0 ? PathChange::kSet : PathChange::kReplace;
    std::string_view value = "null";
    if (news.IsValid(row)) {
      value = news[row].view();
    } else if (treatments) {
      const std::string_view treatment = (*treatments)[row].view();
      if (treatment == "raise_exception") {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kNullValueNotAllowed, "JSON value must not be null");
      }
      if (treatment == "return_target") {
        result.MutableData<StringRef>()[row] = result.AddString(values[row].view());
        continue;
      }
      if (treatment == "delete_key") {
        change = PathChange::kDelete;
      } else if (treatment != "use_json_null") {
        ThrowTreatment();
      }
    }
    result.MutableData<StringRef>()[row] =
        result.AddString(changer.Change(change, values[row].view(), paths.Read(steps[row].view()), value));
  }
}

}  // namespace

ScalarFunctionList JsonSetAtPathFunctions() {
  const LogicalType jsonb = TypeId::kJsonb, path = LogicalType::List(TypeId::kVarchar);
  const LogicalType flag = TypeId::kBoolean;
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = jsonb,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  for (const char* name : {"#-", "jsonb_delete_path"}) {
    add(name, {jsonb, path}, &DeletePath, "The value without what a path leads to.",
        "JSONB '{\"a\": {\"b\": 1, \"c\": 2}}' #- '{a,b}'");
  }
  constexpr ScalarKernel kSet = &ChangePath<PathChange::kReplace, PathChange::kSet, true>;
  constexpr ScalarKernel kInsert = &ChangePath<PathChange::kInsertBefore, PathChange::kInsertAfter, false>;
  add("jsonb_set", {jsonb, path, jsonb}, kSet, "The value with another one where a path leads to.",
      "jsonb_set('{\"a\": [1, 2]}', '{a,0}', '\"x\"')");
  add("jsonb_set", {jsonb, path, jsonb, flag}, kSet, "The same; only what is there is replaced if false.",
      "jsonb_set('{\"a\": 1}', '{b}', '2', false)");
  add("jsonb_insert", {jsonb, path, jsonb}, kInsert,
      "The value with another one put before the element, or as the new member, where a path leads to.",
      "jsonb_insert('{\"a\": [1, 2]}', '{a,1}', '\"x\"')");
  add("jsonb_insert", {jsonb, path, jsonb, flag}, kInsert, "The same; behind the element if true.",
      "jsonb_insert('{\"a\": [1, 2]}', '{a,1}', '\"x\"', true)");
  const auto add_lax = [&](std::vector<LogicalType> types, const char* description, const char* example) {
    add("jsonb_set_lax", std::move(types), &SetLax, description, example);
    list.back().nulls = NullHandling::kSpecial;
  };
  add_lax({jsonb, path, jsonb}, "As jsonb_set, where NULL becomes null.",
          "jsonb_set_lax('{\"a\": 1}', '{a}', NULL)");
  add_lax({jsonb, path, jsonb, flag}, "The same; only what is there is replaced if false.",
          "jsonb_set_lax('{\"a\": 1}', '{b}', NULL, false)");
  add_lax({jsonb, path, jsonb, flag, TypeId::kVarchar},
          "The same; NULL is treated as use_json_null, delete_key, return_target or raise_exception says.",
          "jsonb_set_lax('{\"a\": 1, \"b\": 2}', '{a}', NULL, true, 'delete_key')");
  return list;
}

}  // namespace scaup

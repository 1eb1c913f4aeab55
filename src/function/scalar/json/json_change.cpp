// DuckDB's changes of JSON values: json_set, json_insert, json_replace, json_remove, json_merge_patch and
// kin.
#include <algorithm>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json/json_layout.hpp"
#include "function/scalar/json/json_printer.hpp"
#include "function/scalar/json/json_steps.hpp"
#include "type/text/json_text.hpp"
#include "type/type_name.hpp"

namespace scaup {
namespace {

enum class JsonChangeKind : unsigned char { kSet, kInsert, kReplace, kRemove };

/// Writes a value anew, compact, with a change where a path leads to.
class DocumentChanger {
 public:
  /// Appends the changed value. Returns false if nothing remains of it.
  bool Change(JsonChangeKind change, std::string_view json, const JsonSteps& path, std::string_view value,
              std::string& out);

 private:
  bool Replaces() const { return change_ == JsonChangeKind::kSet || change_ == JsonChangeKind::kReplace; }
  bool Adds() const { return change_ == JsonChangeKind::kSet || change_ == JsonChangeKind::kInsert; }
  bool IsLast(size_t level) const { return level + 1 == steps_->size(); }
  void Rewrite(std::string_view json, size_t level, std::string& out) const;
  void RewriteObject(std::string_view json, const std::string& name, size_t level, std::string& out) const;
  void RewriteArray(std::string_view json, int64_t position, size_t level, std::string& out) const;
  bool RewritePart(std::string_view json, size_t level, std::string& out) const;
  bool BuildFrom(size_t level, std::string& out) const;

  JsonChangeKind change_ = JsonChangeKind::kSet;
  const std::vector<JsonStep>* steps_ = nullptr;
  std::string_view value_;
};

bool DocumentChanger::Change(JsonChangeKind change, std::string_view json, const JsonSteps& path,
                             std::string_view value, std::string& out) {
  change_ = change;
  steps_ = &path.steps();
  value_ = value;
  if (!path.steps().empty()) {
    Rewrite(json, 0, out);
  } else if (change == JsonChangeKind::kRemove) {
    return false;
  } else {
    AppendCompactJson(change == JsonChangeKind::kInsert ? json : value, out);
  }
  return true;
}

void DocumentChanger::Rewrite(std::string_view json, size_t level, std::string& out) const {
  using Kind = JsonStep::Kind;
  CheckStack();
  const JsonStep& step = (*steps_)[level];
  const JsonKind kind = JsonKindOf(json);
  if (kind == JsonKind::kObject && (step.kind == Kind::kMember || step.kind == Kind::kPointer))
    return RewriteObject(json, step.name, level, out);
  std::optional<int64_t> position;
  if (kind == JsonKind::kArray) {
    const auto length = static_cast<int64_t>(JsonLength(json));
    if (step.kind == Kind::kEnd || (step.kind == Kind::kPointer && step.name == "-")) position = length;
    if (step.kind == Kind::kPointer && !position) position = PointerPosition(step.name);
    if (step.kind == Kind::kElement) position = step.index < 0 ? step.index + length : step.index;
    if (position && (*position < 0 || *position > length)) position = std::nullopt;
  }
  if (!position) return AppendCompactJson(json, out);
  RewriteArray(json, *position, level, out);
}

/// Appends what becomes of the member or element that the path goes through or ends at; false for nothing.
bool DocumentChanger::RewritePart(std::string_view json, size_t level, std::string& out) const {
  if (!IsLast(level)) {
    Rewrite(json, level + 1, out);
    return true;
  }
  if (change_ == JsonChangeKind::kRemove) return false;
  AppendCompactJson(Replaces() ? value_ : json, out);
  return true;
}

/// Appends the value within objects and arrays for the steps behind `level`; false if a step cannot begin
/// one.
bool DocumentChanger::BuildFrom(size_t level, std::string& out) const {
  using Kind = JsonStep::Kind;
  if (!Adds()) return false;
  std::string closing;
  for (size_t i = level + 1; i < steps_->size(); i++) {
    const JsonStep& step = (*steps_)[i];
    if (step.kind == Kind::kMember || step.kind == Kind::kPointer) {
      out += '{';
      AppendJsonString(step.name, out);
      out += ':';
      closing += '}';
    } else if (step.kind == Kind::kEnd || (step.kind == Kind::kElement && step.index == 0)) {
      out += '[';
      closing += ']';
    } else {
      return false;
    }
  }
  AppendCompactJson(value_, out);
  out.append(closing.rbegin(), closing.rend());
  return true;
}

void DocumentChanger::RewriteObject(std::string_view json, const std::string& name, size_t level,
                                    std::string& out) const {
  out += '{';
  const auto separate = [&] {
    if (out.back() != '{') out += ',';
  };
  bool is_found = false;
  std::string found;
  for (JsonIterator members(json); members.Next();) {
    found.clear();
    AppendJsonUnescaped(members.quoted_name(), found);
    const size_t before = out.size();
    separate();
    out += members.quoted_name();
    out += ':';
    if (found != name) {
      AppendCompactJson(members.value(), out);
      continue;
    }
    is_found = true;
    if (!RewritePart(members.value(), level, out)) out.resize(before);
  }
  if (!is_found) {
    const size_t before = out.size();
    separate();
    AppendJsonString(name, out);
    out += ':';
    if (!BuildFrom(level, out)) out.resize(before);
  }
  out += '}';
}

void DocumentChanger::RewriteArray(std::string_view json, int64_t position, size_t level,
                                   std::string& out) const {
  out += '[';
  const auto separate = [&] {
    if (out.back() != '[') out += ',';
  };
  int64_t index = 0;
  for (JsonIterator elements(json); elements.Next(); index++) {
    const size_t before = out.size();
    separate();
    if (index != position) {
      AppendCompactJson(elements.value(), out);
    } else if (!RewritePart(elements.value(), level, out)) {
      out.resize(before);
    }
  }
  if (index == position) {
    const size_t before = out.size();
    separate();
    if (!BuildFrom(level, out)) out.resize(before);
  }
  out += ']';
}

/// Takes the path of a row apart, once per run of rows that share it.
class ChangePathReader {
 public:
  const JsonSteps& Read(std::string_view path) {
    if (!last_ || *last_ != path) {
      steps_ = JsonSteps::Parse(path);
      last_ = path;
    }
    if (steps_.has_wildcard()) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 "the JSON path \"" + std::string(path) + "\" of a change must lead to one value, without *");
    }
    return steps_;
  }

 private:
  std::optional<std::string> last_;
  JsonSteps steps_;
};

template <JsonChangeKind kChange>
void ChangeDocument(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  constexpr bool kHasValue = kChange != JsonChangeKind::kRemove;
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<StringRef>(count);
  const auto paths = arguments.column(1).ViewAs<StringRef>(count);
  std::optional<JsonPrinter> news;
  if (kHasValue) news.emplace(call.context, arguments.column(2), count);
  DocumentChanger changer;
  ChangePathReader reader;
  std::string value, changed;
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row) || !paths.IsValid(row) || (kHasValue && news->IsNull(row))) {
      result.SetNull(row);
      continue;
    }
    value.clear();
    changed.clear();
    if (kHasValue) news->Append(row, value);
    if (changer.Change(kChange, values[row].view(), reader.Read(paths[row].view()), value, changed)) {
      result.MutableData<StringRef>()[row] = result.AddString(changed);
    } else {
      result.SetNull(row);
    }
  }
}

/// Merges a patch (RFC 7396) into an object, or into nothing: members that are null remove those of the
/// object.
void MergeInto(std::string_view json, std::string_view patch, std::string& out) {
  CheckStack();
  out += '{';
  const auto separate = [&] {
    if (out.back() != '{') out += ',';
  };
  const bool is_object = JsonKindOf(json) == JsonKind::kObject;
  std::string name;
  if (is_object) {
    for (JsonIterator members(json); members.Next();) {
      name.clear();
      AppendJsonUnescaped(members.quoted_name(), name);
      if (JsonMember(patch, name)) continue;
      separate();
      out += members.quoted_name();
      out += ':';
      AppendCompactJson(members.value(), out);
    }
  }
  for (JsonIterator changes(patch); changes.Next();) {
    const JsonKind kind = JsonKindOf(changes.value());
    if (kind == JsonKind::kNull) continue;
    separate();
    out += changes.quoted_name();
    out += ':';
    if (kind != JsonKind::kObject) {
      AppendCompactJson(changes.value(), out);
      continue;
    }
    name.clear();
    AppendJsonUnescaped(changes.quoted_name(), name);
    const auto before = is_object ? JsonMember(json, name) : std::nullopt;
    MergeInto(before.value_or("null"), changes.value(), out);
  }
  out += '}';
}

/// Whether a member of a patch says nothing in json_deep_merge, where null removes nothing.
bool IsSilent(std::string_view patch, const std::string& name) {
  return JsonKindOf(JsonMember(patch, name).value_or("null")) == JsonKind::kNull;
}

/// Begins a member of an object whose members so far are in `out`.
void BeginMember(std::string& out, std::string_view quoted_name) {
  if (out.back() != '{') out += ',';
  out += quoted_name;
  out += ':';
}

/// Merges an object into another one. Members that are null leave those of the first object as they are.
void MergeDeeply(std::string_view json, std::string_view patch, std::string& out) {
  CheckStack();
  const bool are_objects = JsonKindOf(json) == JsonKind::kObject && JsonKindOf(patch) == JsonKind::kObject;
  if (!are_objects) return AppendCompactJson(JsonKindOf(patch) == JsonKind::kNull ? json : patch, out);
  out += '{';
  std::string name;
  for (JsonIterator members(json); members.Next();) {
    name.clear();
    AppendJsonUnescaped(members.quoted_name(), name);
    if (!IsSilent(patch, name)) continue;
    BeginMember(out, members.quoted_name());
    AppendCompactJson(members.value(), out);
  }
  for (JsonIterator changes(patch); changes.Next();) {
    if (JsonKindOf(changes.value()) == JsonKind::kNull) continue;
    BeginMember(out, changes.quoted_name());
    name.clear();
    AppendJsonUnescaped(changes.quoted_name(), name);
    MergeDeeply(JsonMember(json, name).value_or("null"), changes.value(), out);
  }
  out += '}';
}

/// Whether two values are equal, in whatever order their members are.
bool AreEqual(std::string_view left, std::string_view right) {
  std::string a, b;
  return NormalizeJson(left, a) && NormalizeJson(right, b) ? a == b : TrimJson(left) == TrimJson(right);
}

/// Makes the patch that turns one value into another.
void MakePatch(std::string_view from, std::string_view to, std::string& out) {
  CheckStack();
  const bool are_objects = JsonKindOf(from) == JsonKind::kObject && JsonKindOf(to) == JsonKind::kObject;
  if (!are_objects) return AppendCompactJson(to, out);
  out += '{';
  std::string name;
  for (JsonIterator members(from); members.Next();) {
    name.clear();
    AppendJsonUnescaped(members.quoted_name(), name);
    if (JsonMember(to, name)) continue;
    BeginMember(out, members.quoted_name());
    out += "null";
  }
  for (JsonIterator members(to); members.Next();) {
    name.clear();
    AppendJsonUnescaped(members.quoted_name(), name);
    const auto before = JsonMember(from, name);
    if (before && AreEqual(*before, members.value())) continue;
    BeginMember(out, members.quoted_name());
    MakePatch(before.value_or("null"), members.value(), out);
  }
  out += '}';
}

/// Merges a patch into a value; as in DuckDB, it takes the place of what is no object.
void PatchValue(std::string_view json, std::string_view patch, std::string& out) {
  const bool are_objects = JsonKindOf(json) == JsonKind::kObject && JsonKindOf(patch) == JsonKind::kObject;
  are_objects ? MergeInto(json, patch, out) : AppendCompactJson(patch, out);
}

/// Combines the arguments from the left. As in DuckDB, a NULL gives way to what comes next, and makes NULL of
/// what is before it.
template <void (*kCombine)(std::string_view, std::string_view, std::string&)>
void CombineValues(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  std::vector<TypedView<StringRef>> views;
  for (Vector& argument : arguments.columns()) views.push_back(argument.ViewAs<StringRef>(count));
  std::string merged, next;
  for (size_t row = 0; row < count; row++) {
    bool is_null = true;
    for (const TypedView<StringRef>& view : views) {
      if (!view.IsValid(row)) {
        is_null = true;
        continue;
      }
      const std::string_view patch = view[row].view();
      next.clear();
      is_null ? AppendCompactJson(patch, next) : kCombine(merged, patch, next);
      merged.swap(next);
      is_null = false;
    }
    is_null ? result.SetNull(row)
            : static_cast<void>(result.MutableData<StringRef>()[row] = result.AddString(merged));
  }
}

void RequireDocument(ScalarFunction& function, std::span<const BindArgument> arguments, size_t i) {
  const LogicalType& type = arguments[i].type;
  if (!IsJson(type) && type.id() != TypeId::kVarchar && type.id() != TypeId::kNull) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               "argument " + std::to_string(i + 1) + " of " + function.name + " must be JSON, not of type " +
                   PostgresTypeName(type));
  }
  function.argument_types[i] = TypeId::kJson;
}

std::unique_ptr<FunctionData> BindChange(ScalarFunction& function, std::span<const BindArgument> arguments) {
  RequireDocument(function, arguments, 0);
  function.argument_types[1] = TypeId::kVarchar;
  if (arguments.size() == 3) {
    const LogicalType& value = arguments[2].type;
    function.argument_types[2] = value.id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : value;
  }
  return nullptr;
}

std::unique_ptr<FunctionData> BindPatches(ScalarFunction& function, std::span<const BindArgument> arguments) {
  for (size_t i = 0; i < arguments.size(); i++) RequireDocument(function, arguments, i);
  return nullptr;
}

}  // namespace

ScalarFunctionList JsonChangeFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, size_t argument_count, ScalarKernel kernel, ScalarBind bind,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::vector<LogicalType>(argument_count, kAnyType),
                    .return_type = TypeId::kJson,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .bind = bind,
                    .nulls = NullHandling::kSpecial,
                    .any_types = true});
  };
  add("json_set", 3, &ChangeDocument<JsonChangeKind::kSet>, &BindChange,
      "The value with another one where a path leads to: replaced, or added with what leads there.",
      "json_set('{\"a\": 1}', '$.b.c', 2)");
  add("json_insert", 3, &ChangeDocument<JsonChangeKind::kInsert>, &BindChange,
      "The same; what is there stays.", "json_insert('{\"a\": 1}', '$.b', 2)");
  add("json_replace", 3, &ChangeDocument<JsonChangeKind::kReplace>, &BindChange,
      "The same; nothing is added.", "json_replace('{\"a\": 1}', '$.a', 2)");
  add("json_remove", 2, &ChangeDocument<JsonChangeKind::kRemove>, &BindChange,
      "The value without what a path leads to.", "json_remove('{\"a\": 1, \"b\": 2}', '$.a')");
  add("json_merge_patch_diff", 2, &CombineValues<&MakePatch>, &BindPatches,
      "The patch (RFC 7396) that turns the first value into the second.",
      "json_merge_patch_diff('{\"a\": 1, \"b\": 2}', '{\"b\": 3}')");
  add("json_deep_merge", 2, &CombineValues<&MergeDeeply>, &BindPatches,
      "Objects merged at all depths; a null leaves what is there.",
      "json_deep_merge('{\"a\": {\"b\": 1}}', '{\"a\": {\"c\": 2}}')");
  list.back().varargs = kAnyType;
  list.back().argument_types.pop_back();
  add("json_merge_patch", 2, &CombineValues<&PatchValue>, &BindPatches,
      "The value changed by patches (RFC 7396): objects are merged, null removes members.",
      "json_merge_patch('{\"a\": 1, \"b\": 2}', '{\"a\": null, \"c\": 3}')");
  list.back().varargs = kAnyType;
  list.back().argument_types.pop_back();
  return list;
}

}  // namespace scaup

// parse_filename, parse_path, parse_dirname, parse_dirpath and path_join: the parts of paths of files.
#include <algorithm>
#include <optional>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/packed_value.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr std::string_view kBothSlashes = "/\\";

/// The characters that separate the parts of a path, by the name of the choice.
std::string_view SeparatorsOf(std::string_view name) {
  if (name == "both_slash") return kBothSlashes;
  if (name == "forward_slash" || name == "system") return "/";
  if (name == "backslash") return "\\";
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             "\"" + std::string(name) +
                 "\" is no separator of paths; there are both_slash, forward_slash, backslash and system");
}

std::string_view FileName(std::string_view path, std::string_view separators) {
  const size_t last = path.find_last_of(separators);
  return last == path.npos ? path : path.substr(last + 1);
}

std::string_view WithoutExtension(std::string_view name) { return name.substr(0, name.rfind('.')); }

/// The first folder, or the separator that the path begins with.
std::string_view FirstFolder(std::string_view path, std::string_view separators) {
  const size_t first = path.find_first_of(separators);
  if (first == path.npos) return {};
  return path.substr(0, std::max<size_t>(first, 1));
}

std::string_view Folders(std::string_view path, std::string_view separators) {
  const size_t last = path.find_last_of(separators);
  return last == path.npos ? std::string_view() : path.substr(0, last);
}

/// Calls visit(part) for each part that is not empty.
template <typename Visit>
void ForEachPart(std::string_view path, std::string_view separators, Visit&& visit) {
  while (!path.empty()) {
    const size_t length = std::min(path.find_first_of(separators), path.size());
    if (length > 0) visit(path.substr(0, length));
    path.remove_prefix(std::min(length + 1, path.size()));
  }
}

/// The parts of a path as slots of a list; a separator at the beginning is a part.
void AppendParts(std::string_view path, std::string_view separators, std::string& slots) {
  if (!path.empty() && separators.find(path[0]) != separators.npos)
    AppendStringSlot(path.substr(0, 1), slots);
  ForEachPart(path, separators, [&](std::string_view part) { AppendStringSlot(part, slots); });
}

/// The arguments of a call of the parse_ functions: the path, then whether the extension is dropped and the
/// name of the separators, in any order.
struct PathArguments {
  explicit PathArguments(DataChunk& arguments)
      : paths(arguments.column(0).ViewAs<StringRef>(arguments.size())) {
    for (size_t i = 1; i < arguments.column_count(); i++) {
      Vector& column = arguments.column(i);
      if (column.type().id() == TypeId::kBoolean) {
        drops_extension = column.ViewAs<uint8_t>(arguments.size());
      } else {
        separators = column.ViewAs<StringRef>(arguments.size());
      }
    }
  }
  bool IsValid(size_t row) const {
    return paths.IsValid(row) && (!drops_extension || drops_extension->IsValid(row)) &&
           (!separators || separators->IsValid(row));
  }
  std::string_view Separators(size_t row) const {
    return separators ? SeparatorsOf((*separators)[row].view()) : kBothSlashes;
  }
  bool DropsExtension(size_t row) const { return drops_extension && (*drops_extension)[row] != 0; }

  TypedView<StringRef> paths;
  std::optional<TypedView<uint8_t>> drops_extension;
  std::optional<TypedView<StringRef>> separators;
};

/// Sets each row to part(path, separators, row).
template <typename Part>
void MapPaths(DataChunk& arguments, Vector& result, Part&& part) {
  const PathArguments given(arguments);
  auto* out = result.MutableData<StringRef>();
  for (size_t row = 0; row < arguments.size(); row++) {
    if (given.IsValid(row)) {
      out[row] = result.AddString(part(given, row));
    } else {
      result.SetNull(row);
    }
  }
}

void ParseFileName(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapPaths(arguments, result, [](const PathArguments& given, size_t row) {
    const std::string_view name = FileName(given.paths[row].view(), given.Separators(row));
    return given.DropsExtension(row) ? WithoutExtension(name) : name;
  });
}

template <std::string_view (*kPart)(std::string_view path, std::string_view separators)>
void ParseFolder(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapPaths(arguments, result, [](const PathArguments& given, size_t row) {
    return kPart(given.paths[row].view(), given.Separators(row));
  });
}

void ParsePath(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string slots;
  MapPaths(arguments, result, [&](const PathArguments& given, size_t row) {
    slots.clear();
    AppendParts(given.paths[row].view(), given.Separators(row), slots);
    return std::string_view(slots);
  });
}

/// A path that is being joined from others. ".." takes the folder before it away.
class JoinedPath {
 public:
  void Add(std::string_view path) {
    const size_t scheme = path.find("://");
    const size_t root = scheme != path.npos                                    ? scheme + 3
                        : !path.empty() && (path[0] == '/' || path[0] == '\\') ? 1
                                                                               : 0;
    if (root > 0 && !(root_.empty() && parts_.empty())) {
      ThrowError(
          ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
          "path_join cannot put the absolute path \"" + std::string(path) + "\" after \"" + Text() + "\"");
    }
    if (root > 0) root_ = root == 1 ? "/" : path.substr(0, root);
    ForEachPart(path.substr(root), kBothSlashes, [&](std::string_view part) { AddPart(part); });
  }
  std::string Text() const {
    std::string text(root_);
    for (size_t i = 0; i < parts_.size(); i++) {
      if (i > 0) text.push_back('/');
      text += parts_[i];
    }
    return text;
  }

 private:
  void AddPart(std::string_view part) {
    if (part == ".") return;
    if (part != "..") {
      parts_.push_back(part);
    } else if (!parts_.empty() && parts_.back() != "..") {
      parts_.pop_back();
    } else if (root_.empty()) {
      parts_.push_back(part);
    }
  }

  std::string_view root_;
  std::vector<std::string_view> parts_;
};

void JoinPaths(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::vector<TypedView<StringRef>> views;
  for (size_t i = 0; i < arguments.column_count(); i++)
    views.push_back(arguments.column(i).ViewAs<StringRef>(arguments.size()));
  auto* out = result.MutableData<StringRef>();
  for (size_t row = 0; row < arguments.size(); row++) {
    if (std::any_of(views.begin(), views.end(), [&](const auto& view) { return !view.IsValid(row); })) {
      result.SetNull(row);
      continue;
    }
    JoinedPath path;
    for (const auto& view : views) path.Add(view[row].view());
    out[row] = result.AddString(path.Text());
  }
}

}  // namespace

ScalarFunctionList PathFunctions() {
  const LogicalType text = TypeId::kVarchar, flag = TypeId::kBoolean;
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, LogicalType type,
                       ScalarKernel kernel, const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  const char* file = "The last part of a path; true drops the extension, a name chooses the separators.";
  add("parse_filename", {text}, text, &ParseFileName, file, "parse_filename('data/2024/trips.csv')");
  add("parse_filename", {text, flag}, text, &ParseFileName, file, "parse_filename('data/trips.csv', true)");
  add("parse_filename", {text, text}, text, &ParseFileName, file,
      "parse_filename('data\\trips.csv', 'backslash')");
  add("parse_filename", {text, flag, text}, text, &ParseFileName, file,
      "parse_filename('data/trips.csv', true, 'system')");
  for (const bool has_separator : {false, true}) {
    std::vector<LogicalType> types = {text};
    if (has_separator) types.push_back(text);
    add("parse_path", types, LogicalType::List(text), &ParsePath, "The parts of a path.",
        "parse_path('/data/trips.csv')");
    add("parse_dirname", types, text, &ParseFolder<&FirstFolder>, "The first folder of a path.",
        "parse_dirname('data/2024/trips.csv')");
    add("parse_dirpath", types, text, &ParseFolder<&Folders>, "The folders of a path, without the last part.",
        "parse_dirpath('data/2024/trips.csv')");
  }
  add("path_join", {text}, text, &JoinPaths, "Paths put together, with . and .. resolved.",
      "path_join('data', '2024', '../2025', 'trips.csv')");
  list.back().varargs = text;
  return list;
}

}  // namespace scaup

// The key paths of a collection that a view reads, as they were when it was made.
#include "catalog/view_paths.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "common/throw.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

LogicalType PathType(std::string_view text) {
  if (text.ends_with("[]")) return LogicalType::List(PathType(text.substr(0, text.size() - 2)));
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const std::optional<LogicalType> type = TypeFromName(lower);
  // Only a damaged file can have such a type, since SetPaths has written it.
  if (!type) {
    ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted,
               fmt::format("a view reads a path of type \"{}\", which there is not", text));
  }
  return *type;
}

}  // namespace

bool HasPaths(const ViewSource& source) {
  return source.used_columns.size() == source.columns.size() + 2 && source.used_columns[0].empty();
}

std::vector<ViewPath> PathsOf(const ViewSource& source) {
  SCAUP_ASSERT(HasPaths(source));
  size_t star_count = 0;
  const std::string& digits = source.used_columns[1];
  std::from_chars(digits.data(), digits.data() + digits.size(), star_count);
  std::vector<ViewPath> paths;
  for (size_t i = 0; i < source.columns.size(); i++)
    paths.push_back({source.columns[i], PathType(source.used_columns[i + 2]), i < star_count});
  return paths;
}

void SetPaths(ViewSource& source, const std::vector<ViewPath>& paths) {
  source.columns.clear();
  source.used_columns = {"", ""};
  size_t star_count = 0;
  for (const ViewPath& path : paths) {
    source.columns.push_back(path.name);
    source.used_columns.push_back(path.type.ToString());
    star_count += path.is_in_star;
  }
  source.used_columns[1] = fmt::format("{}", star_count);
}

}  // namespace scaup

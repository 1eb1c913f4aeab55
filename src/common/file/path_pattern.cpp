// Matches names against patterns, and walks directories level by level to expand a path.
#include "common/file/path_pattern.hpp"

#include <algorithm>

namespace scaup {

bool IsPathPattern(std::string_view path) { return path.find_first_of("*?") != std::string_view::npos; }

bool MatchesName(std::string_view pattern, std::string_view name) {
  if (!name.empty() && name[0] == '.' && (pattern.empty() || pattern[0] != '.')) return false;
  // Greedy matching that backtracks only to the last star: constant space, and no recursion on hostile
  // patterns.
  size_t p = 0, n = 0;
  size_t star = std::string_view::npos, star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      p++;
      n++;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') p++;
  return p == pattern.size();
}

namespace {

std::string Prefix(const std::string& path) { return path.empty() || path.back() == '/' ? path : path + "/"; }

const std::string& Directory(const std::string& path) {
  static const std::string& kCurrent = *new std::string(".");
  return path.empty() ? kCurrent : path;
}

/// Adds to `folders` all visible folders in them, at any depth.
void AddInnerFolders(std::vector<std::string>& folders, const ListDirectory& list_directory) {
  for (size_t i = 0; i < folders.size(); i++) {
    const std::string prefix = Prefix(folders[i]);
    for (const DirectoryEntry& entry : list_directory(Directory(folders[i]))) {
      if (entry.is_folder && !entry.name.starts_with('.')) folders.push_back(prefix + entry.name);
    }
  }
}

/// Extends paths by a component. Components without wildcards are compared, too, so that the result exists.
std::vector<std::string> Extend(const std::vector<std::string>& paths, const std::string& component,
                                bool wants_files, const ListDirectory& list_directory) {
  std::vector<std::string> longer;
  for (const std::string& path : paths) {
    const std::string prefix = Prefix(path);
    if (component == "." || component == "..") {
      longer.push_back(prefix + component);
      continue;
    }
    for (const DirectoryEntry& entry : list_directory(Directory(path))) {
      if (wants_files && entry.is_folder) continue;
      if (IsPathPattern(component) ? MatchesName(component, entry.name) : component == entry.name)
        longer.push_back(prefix + entry.name);
    }
  }
  return longer;
}

}  // namespace

std::vector<std::string> ExpandPathPattern(const std::string& pattern, const ListDirectory& list_directory) {
  std::vector<std::string> paths = {pattern.starts_with('/') ? "/" : ""};
  size_t begin = 0;
  while (begin < pattern.size()) {
    const size_t slash = std::min(pattern.find('/', begin), pattern.size());
    const std::string component = pattern.substr(begin, slash - begin);
    begin = slash + 1;
    if (component.empty()) continue;
    const bool is_deep = component == "**";
    if (is_deep) AddInnerFolders(paths, list_directory);
    if (!is_deep || begin >= pattern.size())
      paths = Extend(paths, is_deep ? "*" : component, is_deep, list_directory);
  }
  std::sort(paths.begin(), paths.end());
  // Two ** may find a path in two ways.
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

}  // namespace scaup

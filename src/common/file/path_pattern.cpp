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

std::vector<std::string> ExpandPathPattern(
    const std::string& pattern,
    const std::function<std::vector<std::string>(const std::string&)>& list_directory) {
  // Each round extends the paths found so far by the next component. Components without wildcards are only
  // appended: a later directory listing, or the final check, confirms that such a path exists.
  std::vector<std::string> paths = {pattern.starts_with('/') ? "/" : ""};
  size_t begin = 0;
  while (begin < pattern.size()) {
    const size_t slash = std::min(pattern.find('/', begin), pattern.size());
    const std::string component = pattern.substr(begin, slash - begin);
    begin = slash + 1;
    if (component.empty()) continue;
    const bool is_special = component == "." || component == "..";
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      const std::string prefix = path.empty() || path.back() == '/' ? path : path + "/";
      if (is_special) {
        longer.push_back(prefix + component);
        continue;
      }
      for (const std::string& name : list_directory(path.empty() ? "." : path)) {
        if (IsPathPattern(component) ? MatchesName(component, name) : component == name)
          longer.push_back(prefix + name);
      }
    }
    paths = std::move(longer);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace scaup

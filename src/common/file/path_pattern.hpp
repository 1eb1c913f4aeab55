// File name patterns of `*` and `?`, shared by all implementations of FileSystem.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// True when the path holds `*` or `?`.
bool IsPathPattern(std::string_view path);

/// Matches one name without slashes: `*` matches any run of characters, `?` one byte. Neither matches a
/// leading dot.
bool MatchesName(std::string_view pattern, std::string_view name);

struct DirectoryEntry {
  std::string name;
  bool is_folder = false;  ///< not for a symbolic link to one, which could lead back
};

/// The entries of a directory ("." is the current one); none if there is no such directory.
using ListDirectory = std::function<std::vector<DirectoryEntry>(const std::string& directory)>;

/// All existing paths that match, sorted. `**` stands for any number of folders, also none, and at the end
/// for the files in them.
std::vector<std::string> ExpandPathPattern(const std::string& pattern, const ListDirectory& list_directory);

}  // namespace scaup

// The names of key paths.
#include "document/attribute/document_path.hpp"

namespace scaup {

void AppendPathKey(std::string_view key, std::string& name) {
  if (!name.empty()) name += '.';
  if (key.empty()) name += "\\0";
  for (const char c : key) {
    if (c == '.' || c == '\\') name += '\\';
    name += c;
  }
}

std::optional<std::vector<std::string>> SplitPath(std::string_view name) {
  std::vector<std::string> keys;
  if (name.empty()) return keys;
  std::string key;
  bool is_empty_key = false;  // written as \0
  for (size_t i = 0; i < name.size(); i++) {
    const bool is_key_begin = key.empty() && !is_empty_key;
    if (name[i] == '.') {
      if (is_key_begin) return std::nullopt;
      keys.push_back(std::move(key));
      key.clear();
      is_empty_key = false;
      continue;
    }
    if (is_empty_key) return std::nullopt;  // \0 must stand alone
    if (name[i] != '\\') {
      key += name[i];
      continue;
    }
    if (++i == name.size()) return std::nullopt;
    if (name[i] == '0' && is_key_begin) {
      is_empty_key = true;
    } else if (name[i] == '.' || name[i] == '\\') {
      key += name[i];
    } else {
      return std::nullopt;
    }
  }
  if (key.empty() && !is_empty_key) return std::nullopt;
  keys.push_back(std::move(key));
  return keys;
}

}  // namespace scaup

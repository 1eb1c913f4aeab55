// Splits the text of the setting search_path.
#include "common/settings/search_path_text.hpp"

#include <algorithm>

namespace scaup {

namespace {

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Reads one name of a path and moves `at` behind it. Returns nothing if there is none.
std::optional<std::string> ReadName(std::string_view text, size_t& at) {
  std::string name;
  if (at < text.size() && text[at] == '"') {
    for (at++; at < text.size(); at++) {
      if (text[at] != '"') {
        name += text[at];
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        name += text[at++];  // two quotes within quotes are one of the name
      } else {
        at++;
        return name;
      }
    }
    return std::nullopt;  // the closing quote is missing
  }
  for (; at < text.size() && text[at] != ',' && !IsBlank(text[at]); at++) {
    if (text[at] == '"') return std::nullopt;
    name += text[at] >= 'A' && text[at] <= 'Z' ? static_cast<char>(text[at] - 'A' + 'a') : text[at];
  }
  return name.empty() ? std::nullopt : std::optional(std::move(name));
}

}  // namespace

std::optional<std::vector<std::string>> SplitSearchPath(std::string_view text) {
  std::vector<std::string> names;
  size_t at = 0;
  const auto skip_blanks = [&] {
    while (at < text.size() && IsBlank(text[at])) at++;
  };
  skip_blanks();
  while (at < text.size()) {
    auto name = ReadName(text, at);
    if (!name) return std::nullopt;
    names.push_back(std::move(*name));
    skip_blanks();
    if (at == text.size()) break;
    if (text[at++] != ',') return std::nullopt;
    skip_blanks();
    if (at == text.size()) return std::nullopt;  // nothing after the comma
  }
  return names;
}

std::string SearchPathName(std::string_view name) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9'); };
  const bool begins_plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  if (begins_plain && std::all_of(name.begin(), name.end(), is_plain)) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string(2, c) : std::string(1, c);
  return quoted + "\"";
}

std::string SearchPathText(const Settings& settings) {
  const auto found = settings.client_values.find("search_path");
  return found == settings.client_values.end() ? std::string(kDefaultSearchPath) : found->second;
}

std::string_view PreferredDefaultSchema(const Settings& settings) {
  constexpr std::string_view kSecondName = "public";
  const auto names = SplitSearchPath(SearchPathText(settings));
  if (!names) return kDefaultSearchPath;
  const auto found = std::find_if(names->begin(), names->end(), [&](const std::string& name) {
    return name == kDefaultSearchPath || name == kSecondName;
  });
  return found != names->end() && *found == kSecondName ? kSecondName : kDefaultSearchPath;
}

}  // namespace scaup

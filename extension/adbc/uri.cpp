// The parser of URIs.
#include "uri.hpp"

#include <algorithm>
#include <charconv>

#include "edge.hpp"

namespace scaup::adbc {

namespace {

std::string Decode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    uint8_t byte = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (failure != std::errc() || digits.size() != 2 || end != digits.data() + 2)
      ThrowInvalidArgument(
          "in a URI, % is followed by two hexadecimal digits: write %25 for the character itself");
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return decoded;
}

void AddSettings(std::string_view query, Config& settings) {
  while (!query.empty()) {
    const std::string_view part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), part.size() + 1));
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      ThrowInvalidArgument("the URI has the setting \"" + std::string(part) + "\" without a value");
    settings[Decode(part.substr(0, equals))] = Decode(part.substr(equals + 1));
  }
}

}  // namespace

DatabaseUri ParseUri(std::string_view uri) {
  std::string_view rest = uri;
  bool has_scheme = false;
  for (const std::string_view scheme : {"scaup:", "file:"}) {
    if (!has_scheme && rest.starts_with(scheme)) {
      rest.remove_prefix(scheme.size());
      has_scheme = true;
    }
  }
  DatabaseUri parsed;
  if (!has_scheme) {
    parsed.path = rest;
    return parsed;
  }
  if (const size_t question = rest.find('?'); question != std::string_view::npos) {
    AddSettings(rest.substr(question + 1), parsed.settings);
    rest = rest.substr(0, question);
  }
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    const std::string_view host = rest.substr(0, rest.find('/'));
    if (!host.empty() && host != ":memory:" && host != "localhost")
      ThrowInvalidArgument("the URI \"" + std::string(uri) + "\" has the host \"" + std::string(host) +
                           "\": write scaup:path for a relative path, scaup:///path for an absolute one");
    if (host == "localhost") rest.remove_prefix(host.size());
  }
  parsed.path = Decode(rest);
  if (parsed.path.empty()) parsed.path = ":memory:";
  return parsed;
}

}  // namespace scaup::adbc

// Numbers the parameters of a statement as SQLite does.
#include <algorithm>
#include <charconv>

#include "error.hpp"
#include "writer.hpp"

namespace scaup::sqlite {

size_t ParameterNames::Add(const Token& token, int limit) {
  if (const auto known = numbers_.find(token.position); known != numbers_.end()) return known->second;
  size_t number = 0;
  if (token.text[0] == '?' && token.text.size() > 1) {
    const auto [end, error] =
        std::from_chars(token.text.data() + 1, token.text.data() + token.text.size(), number);
    if (error != std::errc() || number < 1 || number > static_cast<size_t>(limit))
      throw SqliteError(SQLITE_ERROR, "variable number must be between ?1 and ?" + std::to_string(limit));
  } else if (token.text[0] != '?') {
    number = Find(std::string(token.text));
  }
  if (number == 0) number = names_.size() + 1;
  if (number > static_cast<size_t>(limit)) throw SqliteError(SQLITE_ERROR, "too many SQL variables");
  if (number > names_.size()) names_.resize(number);
  if (token.text.size() > 1) names_[number - 1] = token.text;
  numbers_[token.position] = number;
  return number;
}

size_t ParameterNames::Find(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? 0 : static_cast<size_t>(found - names_.begin()) + 1;
}

}  // namespace scaup::sqlite

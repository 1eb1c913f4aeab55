// Long names: carries names of more than 63 bytes through PostgreSQL's grammar, which truncates them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parser/text/statement_text.hpp"

namespace scaup {

/// Replaces each long name of a statement by a unique short one for the grammar, and restores the long names
/// in the grammar's output. Lives while one statement is parsed. Used by one thread.
class LongNames {
 public:
  /// Replaces the long names in `text`. Its tokens still have the positions of the names in the user's text.
  explicit LongNames(StatementText& text);

  bool empty() const { return names_.empty(); }
  /// Restores the names in the grammar's syntax tree, which is JSON.
  std::string RestoreInJson(std::string_view json) const;
  /// Restores the names in a message of the grammar, as the user wrote them.
  std::string RestoreInMessage(std::string_view message) const;

 private:
  struct Name {
    std::string name;     ///< without quotes and escapes, in lower case if it was unquoted
    std::string written;  ///< as the user wrote it first
  };

  /// Returns the short name for a name. Equal names have the same one.
  std::string StandIn(std::string name, std::string_view written);
  template <typename Append>
  std::string Restore(std::string_view text, Append append) const;

  std::string prefix_;  ///< the prefix of all short names, which occurs nowhere else in the statement
  std::vector<Name> names_;
  std::map<std::string, size_t, std::less<>> numbers_;
};

}  // namespace scaup

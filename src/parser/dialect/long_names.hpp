// Takes names of more than 63 bytes through PostgreSQL's grammar, which cuts them there.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parser/text/statement_text.hpp"

namespace scaup {

/// Gives the grammar a short name that the statement does not have for each long one, and puts the long ones
/// back into what it answers. Lives while one statement is parsed.
class LongNames {
 public:
  /// Rewrites `text`, whose tokens still say where the names stand in what the user wrote.
  explicit LongNames(StatementText& text);

  bool empty() const { return names_.empty(); }
  /// The grammar's tree with whole names.
  std::string RestoreInJson(std::string_view json) const;
  /// A message of the grammar with names as they were written.
  std::string RestoreInMessage(std::string_view message) const;

 private:
  struct Name {
    std::string name;     ///< what it means
    std::string written;  ///< how it first stands in the statement
  };

  std::string StandIn(std::string name, std::string_view written);
  template <typename Append>
  std::string Restore(std::string_view text, Append append) const;

  std::string prefix_;  ///< of all stand-ins; occurs nowhere else in the statement
  std::vector<Name> names_;
  std::map<std::string, size_t, std::less<>> numbers_;
};

}  // namespace scaup

// The state of the public ParsedText.
#pragma once

#include <string>
#include <vector>

#include "parser/ast/statement.hpp"
#include "scaup/statement_info.hpp"

namespace scaup {

/// A text with its syntax trees. Owned by its handle.
struct ParsedText::State {
  std::string sql;
  std::vector<ast::StatementPtr> statements;
  std::vector<StatementInfo> infos;
};

std::vector<StatementInfo> DescribeAll(const std::vector<ast::StatementPtr>& statements);

}  // namespace scaup

// Turns SQL text into syntax trees.
#pragma once

#include <string_view>
#include <vector>

#include "parser/ast/statement.hpp"
#include "scaup/table_name.hpp"

namespace scaup {

/// Parses any number of statements. Stateless and thread-safe. Throws Error(kSyntax, 42601) with the position
/// for text that is not SQL, Error(kSyntax, 54001) for text too deeply nested, Error(kNotSupported, 0A000)
/// for valid SQL that the tree has no place for.
class Parser {
 public:
  /// How deep a tree may be, whatever the stack: work on deep trees may take the square of their depth.
  static constexpr size_t kMostLevels = 10000;
  explicit Parser(size_t max_depth = kMostLevels) : max_depth_(max_depth) {}
  std::vector<ast::StatementPtr> Parse(std::string_view sql) const;
  /// Returns the tables that statements name; see scaup::TableNames.
  std::vector<TableName> TableNames(std::string_view sql) const;
  /// Parses an expression that the user has not written. All its positions are `position`, that of what it
  /// stands for in the user's text.
  ast::ExpressionPtr ParseExpression(std::string_view expression, size_t position) const;
  /// Parses a query in the same way. Throws Error(kSyntax) unless the text is one query.
  std::unique_ptr<ast::SelectStatement> ParseQuery(std::string_view query, size_t position) const;

 private:
  size_t max_depth_;
};

}  // namespace scaup

// ParsedStatement: what a Parse message has made.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scaup/connection.hpp"
#include "scaup/statement_info.hpp"

namespace scaup::server {

/// A statement by the name of its Parse message. Shared by the table of names and the portals that run it.
struct ParsedStatement {
  std::string sql;
  std::optional<StatementInfo> info;               ///< nullopt for an empty text
  std::vector<LogicalType> declared;               ///< types of parameters; kNull where the statement tells
  std::vector<uint32_t> parameter_oids;            ///< as described to the client
  std::optional<PreparedStatement> prepared;       ///< none for what the server executes itself
  std::shared_ptr<ParsedStatement> typed;          ///< for other types of parameters; null if there is none
  std::optional<std::vector<uint32_t>> described;  ///< the types of its columns, if a client was told
};

using ParsedStatements = std::map<std::string, std::shared_ptr<ParsedStatement>, std::less<>>;

/// Parses and prepares. `oids` are the numbers of the types that the client gives; 0 for unknown ones.
std::shared_ptr<ParsedStatement> ParseStatement(std::string_view sql, const std::vector<uint32_t>& oids,
                                                Connection& connection);
/// Returns the types to declare for parameters with these values: numerics have the scale of their value,
/// lists its depth. Usually these are those that are declared already.
std::vector<LogicalType> TypesForValues(const ParsedStatement& statement, const std::vector<Value>& values);
/// Returns whether the columns of a statement are those of something that may be another by now: of a cursor
/// or of a named statement.
bool FollowsName(const ParsedStatement& statement);
/// Returns the statement prepared for other types of its parameters, of which it keeps the last; anew if it
/// follows a name.
std::shared_ptr<ParsedStatement> WithTypes(ParsedStatement& statement, const std::vector<LogicalType>& types,
                                           Connection& connection);
/// Drops what DEALLOCATE names. Returns whether the engine's own named statements are meant, too.
bool DropDeallocated(const StatementInfo& info, ParsedStatements& statements);

}  // namespace scaup::server

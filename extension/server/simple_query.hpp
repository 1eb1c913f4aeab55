// Query messages: a text of any number of statements.
#pragma once

#include <string_view>

#include "client_state.hpp"
#include "parsed_statement.hpp"

namespace scaup::server {

/// Executes the statements of a Query message and answers each. The first error ends it. Does not send
/// ReadyForQuery. `statements` are those of Parse messages, which DEALLOCATE drops, too.
void RunSimpleQuery(std::string_view sql, ClientState& client, ParsedStatements& statements);

}  // namespace scaup::server

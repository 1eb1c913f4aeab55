// Finds the forms of statements on collections that PostgreSQL's grammar lacks.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "parser/text/token.hpp"

namespace scaup {

/// The index of the token behind a name with dots, which begins at `begin`.
size_t NameEnd(std::span<const Token> tokens, size_t begin);
/// Whether INSERT INTO name [AS alias] stands before a token.
bool FollowsInsertInto(std::span<const Token> tokens, size_t index);
/// Of ANY, SOME or ALL behind an operator and before a path without brackets, such as a.b[2].c: the index of
/// the token behind the path. 0 for any other token.
size_t PathEndBehindAny(std::string_view sql, std::span<const Token> tokens, size_t index);

}  // namespace scaup

// PREPARE, EXECUTE and DEALLOCATE.
#pragma once

#include <span>

#include "main/session/ready_statement.hpp"
#include "main/statement/named_statements.hpp"

namespace scaup {

/// PREPARE: plans a statement and adds it to `named`. Throws Error(kUsage, 42P05) if the name is taken, and
/// what preparing throws.
void PrepareNamed(NamedStatements& named, const ast::PrepareStatement& prepare, StatementPreparer& preparer);

/// Returns the columns that EXECUTE of a named statement returns; none for other statements, or if the name
/// is not there yet.
std::vector<ResultColumn> NamedColumns(const NamedStatements& named, const ast::Statement& statement);

/// Makes EXECUTE, or EXPLAIN or CREATE TABLE AS of EXECUTE, ready: chooses the plan of the named statement
/// and evaluates the arguments. `parameters` are those of the calling statement. Throws Error(kUsage, 26000)
/// for an unknown name, and Error(kSyntax) for a wrong number of arguments. REQUIRES: ready.execution has
/// begun.
void BindNamed(NamedStatements& named, const ast::Statement& statement, std::span<const Value> parameters,
               ReadyStatement& ready);

}  // namespace scaup

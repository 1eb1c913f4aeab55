// INSERT and UPDATE of collections: values of columns become documents.
#pragma once

#include "binder/bind_session.hpp"
#include "binder/bound_modification.hpp"
#include "parser/ast/modification.hpp"

namespace scaup {

/// The values of a collection's columns, the record alone, made of a source whose columns are documents
/// (without a list of columns: a single one), or values at the named paths.
void FillRecords(BindSession& session, BoundInsert& insert, const std::vector<std::string>& names,
                 size_t table_index, const std::vector<LogicalType>& types, size_t position);
/// What is inserted into a collection: its one column is a document, or each is a value of a path, all as
/// JSON.
BoundQueryPtr BindDocuments(BindSession& session, const ast::InsertStatement& statement);
/// UPDATE of paths.
BoundStatementPtr BindCollectionUpdate(BindSession& session, const ast::UpdateStatement& statement);

}  // namespace scaup

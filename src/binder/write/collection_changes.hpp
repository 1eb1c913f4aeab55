// INSERT, UPDATE and MERGE of collections: values of columns become documents.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/scope/bind_session.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/expression_binder.hpp"
#include "parser/ast/modification.hpp"

namespace scaup {

/// The values of a collection's columns, the record alone, made of a source whose columns are documents
/// (without a list of columns: a single one), or values at the named paths.
void FillRecords(BindSession& session, BoundInsert& insert, const std::vector<std::string>& names,
                 size_t table_index, const std::vector<LogicalType>& types, size_t position);

/// The documents that are inserted into a collection: its one column is a document, or each is a value of a
/// path, all as JSON.
struct InsertedDocuments {
  BoundQueryPtr query;
  /// By path of the list: what its values are in documents; nullopt where all of them are NULL.
  std::vector<std::optional<LogicalType>> types;
};
InsertedDocuments BindDocuments(BindSession& session, const TableEntry& collection,
                                const ast::InsertStatement& statement);
/// The names of RETURNING of an INSERT: the paths of a document whose record is {row_index, 0}.
Scope ScopeOfRecord(BindSession& session, const ast::InsertStatement& statement, const TableEntry& collection,
                    size_t row_index, const std::vector<std::optional<LogicalType>>& types);
/// UPDATE of paths.
BoundStatementPtr BindCollectionUpdate(BindSession& session, const ast::UpdateStatement& statement);

/// A record with values, each at its path.
struct ChangedRecord {
  ExpressionPtr record;
  /// The types of the values in documents, for DocumentSource::Expect.
  std::vector<std::pair<PathId, LogicalType>> types;
};
/// Makes it of `record` and a SET list. `own_name`, that of the collection in the statement, stands for the
/// whole document.
ChangedRecord BindSetPaths(BindSession& session, ExpressionBinder& binder, DocumentSource& target,
                           ExpressionPtr record, const std::vector<ast::Assignment>& assignments,
                           size_t position, const std::string& own_name);
/// The record of INSERT (paths) VALUES, or of INSERT VALUES (document), in MERGE; `is_returned`: RETURNING
/// will name its paths.
ChangedRecord BindInsertedRecord(BindSession& session, ExpressionBinder& binder, const DocumentSource& target,
                                 const ast::MergeClause& clause, bool is_returned);
/// object(a, b.c, name => value): a document with values at paths, which are called as they are written. NULL
/// stands for nothing.
ExpressionPtr BindObject(BindSession& session, ExpressionBinder& binder, const ast::FunctionCall& call);

}  // namespace scaup

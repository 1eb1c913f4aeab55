// INSERT, UPDATE and MERGE of collections: builds documents from values of columns.
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

/// Sets the values of a collection's columns, which is the record alone. The source's columns are a single
/// document (without a list of columns), or values at the named paths.
void FillRecords(BindSession& session, BoundInsert& insert, const std::vector<std::string>& names,
                 size_t table_index, const std::vector<LogicalType>& types, size_t position);

/// The source of an INSERT into a collection. Its one column is a document, or each column is the value of a
/// path; all are JSON.
struct InsertedDocuments {
  BoundQueryPtr query;
  /// For each path of the list, the type of its values in documents; nullopt if all of them are NULL.
  std::vector<std::optional<LogicalType>> types;
};
InsertedDocuments BindDocuments(BindSession& session, const TableEntry& collection,
                                const ast::InsertStatement& statement);
/// Returns the names for RETURNING of an INSERT: the paths of the document whose record is {row_index, 0}.
Scope ScopeOfRecord(BindSession& session, const ast::InsertStatement& statement, const TableEntry& collection,
                    size_t row_index, const std::vector<std::optional<LogicalType>>& types);
/// Binds an UPDATE that sets paths.
BoundStatementPtr BindCollectionUpdate(BindSession& session, const ast::UpdateStatement& statement);

/// A record after values have been set at paths.
struct ChangedRecord {
  ExpressionPtr record;
  /// The types of these values in documents, for DocumentSource::Expect.
  std::vector<std::pair<PathId, LogicalType>> types;
};
/// Applies a SET list to `record`. `own_name` is the name of the collection in the statement and stands for
/// the whole document.
ChangedRecord BindSetPaths(BindSession& session, ExpressionBinder& binder, DocumentSource& target,
                           ExpressionPtr record, const std::vector<ast::Assignment>& assignments,
                           size_t position, const std::string& own_name);
/// Returns the record of INSERT (paths) VALUES, or of INSERT VALUES (document), in MERGE. `is_returned` says
/// whether RETURNING will read its paths.
ChangedRecord BindInsertedRecord(BindSession& session, ExpressionBinder& binder, const DocumentSource& target,
                                 const ast::MergeClause& clause, bool is_returned);
/// Binds object(a, b.c, name => value): a document with values at paths, which get the names as written. NULL
/// values are skipped.
ExpressionPtr BindObject(BindSession& session, ExpressionBinder& binder, const ast::FunctionCall& call);

}  // namespace scaup

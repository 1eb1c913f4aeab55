// What names mean where documents are read: key paths, in the type that their context asks for.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "catalog/view_paths.hpp"
#include "document/document_projection.hpp"
#include "document/visible_attributes.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// The documents of a collection in FROM, or of a row that is written. Any path that visible documents have
/// is a column.
class DocumentSource {
 public:
  explicit DocumentSource(std::shared_ptr<const VisibleAttributes> attributes)
      : attributes_(std::move(attributes)) {}
  virtual ~DocumentSource() = default;
  DocumentSource(const DocumentSource&) = delete;
  DocumentSource& operator=(const DocumentSource&) = delete;

  const std::shared_ptr<const VisibleAttributes>& attributes() const { return attributes_; }
  const std::shared_ptr<AttributeDictionary>& dictionary() const { return attributes_->dictionary(); }
  virtual ExpressionPtr Read(const DocumentProjection& projection) = 0;
  /// The column of that name in its default type; null if no visible document has such a path. Valid as long
  /// as this.
  const ScopeColumn* FindColumn(std::string_view name);
  /// The columns that * stands for: all paths that have values of their own, in the order in which they were
  /// met; or those that Keep named.
  std::vector<ScopeColumn> AllColumns();
  /// For the query of a view, to which paths are what they were when it was made: their types, and what *
  /// stands for. One that no document has any more is NULL.
  void Keep(const std::vector<ViewPath>& paths);
  /// False for a path that was nowhere when the view was made whose query this is read for.
  bool IsOldColumn(std::string_view name) const;
  /// Values of this type (DocumentTypeOf) may be at a path of the documents, though no visible one has them
  /// yet. Before names are looked up.
  void Expect(PathId path, const LogicalType& type);
  /// The document as JSON.
  ExpressionPtr ReadDocument() { return Read({kRootPath, TypeId::kJson}); }
  /// Whether any visible document has a key.
  bool HasKeys() const { return !expected_.empty() || attributes_->HasMembers(kRootPath); }
  /// For "did you mean": names of columns, not more than a few thousand.
  std::vector<std::string> SomeNames() const;

 protected:
  /// The names that AllColumns gave, if it was asked.
  const std::vector<std::string>& star_names() const { return star_names_; }

 private:
  /// All paths that have values now.
  std::vector<ScopeColumn> PresentColumns();
  /// The type that a path has of itself; nullopt where nothing can be there.
  std::optional<LogicalType> TypeOf(PathId path) const;

  std::shared_ptr<const VisibleAttributes> attributes_;
  std::map<PathId, LogicalType> expected_;
  std::map<std::string, ScopeColumn, std::less<>> found_;
  std::vector<std::string> star_names_;
  std::optional<std::map<std::string, LogicalType, std::less<>>> kept_;
  std::vector<std::string> kept_star_;
};

/// A collection in FROM, or one whose documents a statement changes: an entry of its own, whose columns are
/// what the statement reads of the documents. The first one is the record.
class CollectionUse final : public DocumentSource {
 public:
  CollectionUse(BindSession& session, const TableEntry& collection, size_t table_index);
  const std::shared_ptr<TableEntry>& entry() const { return entry_; }
  size_t table_index() const { return table_index_; }
  ExpressionPtr Read(const DocumentProjection& projection) override;
  /// {table_index, 0}.
  ExpressionPtr Record() const;
  /// For the definition of a view: the paths that its query has read so far.
  std::vector<ViewPath> ReadPaths();

 private:
  std::shared_ptr<TableEntry> entry_;
  size_t table_index_;
  std::unordered_multimap<PathId, size_t>
      places_;  // Of projections among the entry's columns, by their paths.
};

/// Documents whose records an expression gives.
class RecordSource final : public DocumentSource {
 public:
  RecordSource(std::shared_ptr<const VisibleAttributes> attributes, ExpressionPtr record)
      : DocumentSource(std::move(attributes)), record_(std::move(record)) {}
  ExpressionPtr Read(const DocumentProjection& projection) override;

 private:
  ExpressionPtr record_;
};

/// As which type a document gives back a value of this one; VARCHAR for those that JSON has only as text.
LogicalType DocumentTypeOf(const LogicalType& type);
/// The type of a path with values of two such types.
LogicalType CommonDocumentType(const LogicalType& a, const LogicalType& b);

// --- Paths in expressions

/// A path where it occurs.
struct PathInExpression {
  const VisibleAttributes* attributes;
  const DocumentProjection* projection;
};
/// The path that a column of a collection, or document_extract, reads; nullopt for other expressions.
std::optional<PathInExpression> FindPath(const BindSession& session, const Expression& expression);
/// Another projection in the place of a path's. REQUIRES: FindPath of `value`.
ExpressionPtr ReadInstead(BindSession& session, const Expression& value,
                          const DocumentProjection& projection);
/// Reads below a path that may be an array, or an object in one. REQUIRES: FindPath of `value`.
ExpressionPtr ReadStep(BindSession& session, ExpressionPtr value, DocumentStep step);
/// matches or score (`name`) over the strings at a path and below it, those within arrays, too.
/// REQUIRES: `value` is that of a path; `query` is of type VARCHAR. Throws Error(42601) for a malformed
/// query.
ExpressionPtr SearchStrings(BindSession& session, ExpressionPtr value, std::string_view name,
                            ExpressionPtr query, size_t position);

}  // namespace scaup

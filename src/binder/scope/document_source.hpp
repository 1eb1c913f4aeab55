// Resolves names to key paths of documents, in the type that their context asks for.
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

/// The documents of a collection in FROM, or of a row that is being written. Every path that occurs in a
/// visible document is a column.
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
  /// Returns the column of that name with its default type; null if no visible document has such a path. The
  /// result is valid as long as this object.
  const ScopeColumn* FindColumn(std::string_view name);
  /// Returns the columns of *: the paths named to Keep() or, without them, all paths that have values of
  /// their own, in the order of their first occurrence.
  std::vector<ScopeColumn> AllColumns();
  /// Fixes the types of paths, and the columns of *, to what they were when a view was created; for the
  /// view's query. A path that no longer occurs in any document is NULL.
  void Keep(const std::vector<ViewPath>& paths);
  /// Returns false for a path that did not exist when the view was created whose query is being bound.
  bool IsOldColumn(std::string_view name) const;
  /// Declares that values of this type (DocumentTypeOf) may occur at a path, though no visible document has
  /// one yet. Call it before names are looked up.
  void Expect(PathId path, const LogicalType& type);
  /// Returns the document as JSON.
  ExpressionPtr ReadDocument() { return Read({kRootPath, TypeId::kJson}); }
  /// Returns whether any visible document has a key.
  bool HasKeys() const { return !expected_.empty() || attributes_->HasMembers(kRootPath); }
  /// Returns names of columns for "did you mean", at most a few thousand.
  std::vector<std::string> SomeNames() const;

 protected:
  /// Returns the names that AllColumns gave; empty if it was not called.
  const std::vector<std::string>& star_names() const { return star_names_; }

 private:
  /// Returns all paths that have values now.
  std::vector<ScopeColumn> PresentColumns();
  /// Returns the default type of a path; nullopt if no value can be at it.
  std::optional<LogicalType> TypeOf(PathId path) const;

  std::shared_ptr<const VisibleAttributes> attributes_;
  std::map<PathId, LogicalType> expected_;
  std::map<std::string, ScopeColumn, std::less<>> found_;
  std::vector<std::string> star_names_;
  std::optional<std::map<std::string, LogicalType, std::less<>>> kept_;
  std::vector<std::string> kept_star_;
};

/// A collection in FROM, or one whose documents a statement changes. It has a table entry of its own, whose
/// columns are what the statement reads of the documents. The first column is the record.
class CollectionUse final : public DocumentSource {
 public:
  CollectionUse(BindSession& session, const TableEntry& collection, size_t table_index);
  const std::shared_ptr<TableEntry>& entry() const { return entry_; }
  size_t table_index() const { return table_index_; }
  ExpressionPtr Read(const DocumentProjection& projection) override;
  /// Returns {table_index, 0}.
  ExpressionPtr Record() const;
  /// Returns the paths that the query has read so far, for the definition of a view.
  std::vector<ViewPath> ReadPaths();

 private:
  std::shared_ptr<TableEntry> entry_;
  size_t table_index_;
  std::unordered_multimap<PathId, size_t>
      places_;  // from paths to positions of their projections among the entry's columns
};

/// Documents whose records are computed by an expression.
class RecordSource final : public DocumentSource {
 public:
  RecordSource(std::shared_ptr<const VisibleAttributes> attributes, ExpressionPtr record)
      : DocumentSource(std::move(attributes)), record_(std::move(record)) {}
  ExpressionPtr Read(const DocumentProjection& projection) override;

 private:
  ExpressionPtr record_;
};

/// Returns the type as which a document returns a value of this type; VARCHAR for types that JSON represents
/// only as text.
LogicalType DocumentTypeOf(const LogicalType& type);
/// Returns the type of a path that has values of two such types.
LogicalType CommonDocumentType(const LogicalType& a, const LogicalType& b);

// --- Paths in expressions

/// A path that occurs in an expression.
struct PathInExpression {
  const VisibleAttributes* attributes;
  const DocumentProjection* projection;
};
/// Returns the path that a column of a collection or document_extract reads; nullopt for other expressions.
std::optional<PathInExpression> FindPath(const BindSession& session, const Expression& expression);
/// Reads another projection in place of the path's own. REQUIRES: FindPath finds a path in `value`.
ExpressionPtr ReadInstead(BindSession& session, const Expression& value,
                          const DocumentProjection& projection);
/// Reads one step below a path that may be an array or an object in an array. REQUIRES: FindPath finds a path
/// in `value`.
ExpressionPtr ReadStep(BindSession& session, ExpressionPtr value, DocumentStep step);
/// Makes a call of matches or score (`name`) over the strings at a path and below it, including those in
/// arrays. REQUIRES: `value` is the value of a path; `query` is of type VARCHAR. Throws Error(42601) for a
/// malformed query.
ExpressionPtr SearchStrings(BindSession& session, ExpressionPtr value, std::string_view name,
                            ExpressionPtr query, size_t position);

}  // namespace scaup

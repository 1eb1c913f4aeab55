// Carries renamings into views: binds their texts to find where they name the relation, and rewrites these.
#include "binder/statement/view_renaming.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "binder/scope/query_binder.hpp"
#include "binder/statement/renaming.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"
#include "parser/pg_query/pg_query_bridge.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

const std::string& RelationSchema(const CatalogEntry& relation) {
  return relation.kind == CatalogEntryKind::kView ? static_cast<const ViewEntry&>(relation).schema
                                                  : static_cast<const TableEntry&>(relation).schema;
}

bool HasColumn(const CatalogEntry& relation, const std::string& name) {
  const auto is_named = [&](const auto& column) { return column.name == name; };
  if (relation.kind == CatalogEntryKind::kView) {
    const auto& columns = static_cast<const ViewEntry&>(relation).columns;
    return std::any_of(columns.begin(), columns.end(), is_named);
  }
  return static_cast<const TableEntry&>(relation).FindColumn(name).has_value();
}

/// Rewrites the text of one view.
class ViewText {
 public:
  ViewText(BindSession& session, const ViewEntry& view, const RelationRenaming& renaming, size_t position)
      : session_(session),
        view_(view),
        renaming_(renaming),
        position_(position),
        source_(*view.FindSource(RelationSchema(*renaming.relation), renaming.relation->name)),
        tokens_(ScanTokens(view.text).tokens) {}

  bool is_concerned() const {
    return renaming_.schema != source_.schema || renaming_.name != source_.name || renames_columns();
  }

  ViewEntryRef Rewrite() {
    RefuseLongNames();
    auto changed = std::make_shared<ViewEntry>(view_);
    const std::map<size_t, bool> names = FindNames();
    changed->text = NewText(names);
    const size_t source = static_cast<size_t>(&source_ - view_.sources.data());
    ViewSource& renamed = changed->sources[source];
    renamed.schema = renaming_.schema;
    renamed.name = renaming_.name;
    for (std::string& column : renamed.columns) column = NewName(column);
    const bool has_alias =
        std::any_of(names.begin(), names.end(), [](const auto& place) { return place.second; });
    if (renames_columns()) {
      renamed.used_columns.clear();
      for (const std::string& column : source_.columns) {
        if (Names(column, has_alias)) renamed.used_columns.push_back(NewName(column));
      }
    }
    return changed;
  }

 private:
  [[noreturn]] void Refuse(std::string_view what) const {
    ThrowNotSupported(
        fmt::format("cannot rename this: view \"{}\" reads it {}; drop the view first, and make it again "
                    "afterwards",
                    view_.name, what),
        position_);
  }

  const std::string& NewName(const std::string& column) const {
    for (const auto& [from, to] : renaming_.columns) {
      if (from == column) return to;
    }
    return column;
  }
  bool renames_columns() const {
    return std::any_of(source_.columns.begin(), source_.columns.end(),
                       [&](const std::string& column) { return NewName(column) != column; });
  }

  /// Refuses schema.table.column: it becomes invalid when the table gets an alias.
  void RefuseLongNames() const {
    for (size_t i = 0; i + 4 < tokens_.size(); i++) {
      if (tokens_[i + 1].Is('.') && tokens_[i + 3].Is('.') &&
          NameOfToken(view_.text, tokens_[i]) == RelationSchema(*renaming_.relation) &&
          NameOfToken(view_.text, tokens_[i + 2]) == renaming_.relation->name)
        Refuse("with its schema in front of columns");
    }
  }

  /// Returns the positions at which the text names the relation; the value is true if an alias follows.
  std::map<size_t, bool> FindNames() const {
    std::vector<ReadRelation> reads;
    // Uses a new session, because the view's text has its own positions and table indexes.
    BindSession inner(session_.context());
    inner.view = &view_;
    inner.reads = &reads;
    const auto statements = Parser(session_.context().settings.max_expression_depth).Parse(view_.text);
    SCAUP_CHECK(statements.size() == 1 && statements[0]->kind == ast::StatementKind::kSelect);
    BindQuery(inner, statements[0]->As<ast::SelectStatement>(), nullptr);
    std::map<size_t, bool> names;
    for (const ReadRelation& read : reads) {
      if (RelationSchema(*read.entry) != source_.schema || read.entry->name != source_.name) continue;
      if (read.has_sample && renames_columns()) Refuse("by TABLESAMPLE");
      names[read.position] = read.has_alias;
    }
    return names;
  }

  bool uses(const std::string& column) const {
    return std::find(source_.used_columns.begin(), source_.used_columns.end(), column) !=
           source_.used_columns.end();
  }

  /// Returns whether the new text names a column of the renamed relation. An alias may have a column list,
  /// which counts all columns, so all are named then. Without an alias, only used columns are named, so that
  /// others can still be dropped.
  bool Names(const std::string& column, bool has_alias) const {
    return HasColumn(*renaming_.relation, column) && (has_alias || uses(column));
  }

  /// Returns the relation under its new name, with its columns renamed to what the view calls them.
  std::string NewReference(bool has_alias) const {
    const std::string name = QuotedIdentifier(renaming_.schema) + "." + QuotedIdentifier(renaming_.name);
    if (!renames_columns()) return name;
    std::string columns;
    for (const std::string& column : source_.columns) {
      if (!Names(column, has_alias)) continue;
      columns += (columns.empty() ? "" : ", ") + QuotedIdentifier(NewName(column));
      if (NewName(column) != column) columns += " AS " + QuotedIdentifier(column);
    }
    return fmt::format("(SELECT {} FROM {})", columns.empty() ? "1" : columns, name);
  }

  std::string NewText(const std::map<size_t, bool>& names) const {
    std::string text;
    size_t copied = 0;
    for (size_t i = 0; i < tokens_.size(); i++) {
      const auto found = names.find(tokens_[i].origin);
      if (found == names.end()) continue;
      const bool is_whole_query = i > 0 && tokens_[i - 1].type == TokenType::kTable;  // TABLE t
      const size_t begin = is_whole_query ? tokens_[i - 1].origin : tokens_[i].origin;
      text.append(view_.text, copied, begin - copied);
      if (is_whole_query) text += "SELECT * FROM ";
      text += NewReference(found->second);
      if (!found->second) text += " AS " + QuotedIdentifier(source_.name);
      while (i + 2 < tokens_.size() && tokens_[i + 1].Is('.')) i += 2;
      copied = tokens_[i].origin_end;
    }
    return text + view_.text.substr(copied);
  }

  BindSession& session_;
  const ViewEntry& view_;
  const RelationRenaming& renaming_;
  size_t position_;
  const ViewSource& source_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<BoundViewChange> RenameInViews(BindSession& session, const RelationRenaming& renaming,
                                           size_t position) {
  const BinderContext& context = session.context();
  std::vector<BoundViewChange> changes;
  for (ViewEntryRef& view : ViewsOver(context.catalog, context.transaction,
                                      RelationSchema(*renaming.relation), renaming.relation->name)) {
    ViewText text(session, *view, renaming, position);
    if (!text.is_concerned()) continue;  // only columns that are newer than the view changed
    ViewEntryRef renamed = text.Rewrite();
    changes.push_back({std::move(view), std::move(renamed)});
  }
  return changes;
}

}  // namespace scaup

// Finds and renames the sequences that defaults and views name. Texts are not bound for that: their tokens
// tell it.
#include "binder/statement/sequence_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binder/statement/renaming.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "parser/pg_query/pg_query_bridge.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

/// A constant that names a sequence.
struct NamedSequence {
  SequenceName name;
  bool has_schema;
  size_t begin;  ///< bytes of the constant in the text
  size_t end;
};

/// Returns the value of a constant that is written in plain quotes.
std::string ConstantValue(std::string_view quoted) {
  std::string value;
  for (size_t i = 1; i + 1 < quoted.size(); i++) {
    value += quoted[i];
    if (quoted[i] == '\'') i++;
  }
  return value;
}

bool IsSequenceFunction(const std::string& name) {
  return name == "nextval" || name == "currval" || name == "setval";
}

std::vector<NamedSequence> NamedSequences(const std::string& text) {
  std::vector<NamedSequence> found;
  // Most texts name none, and the search goes through all texts of the catalog.
  if (text.find("val") == std::string::npos && text.find("VAL") == std::string::npos) return found;
  const std::vector<Token> tokens = ScanTokens(text).tokens;
  for (size_t i = 0; i + 2 < tokens.size(); i++) {
    const Token& constant = tokens[i + 2];
    if (!tokens[i + 1].Is('(') || constant.type != TokenType::kString ||
        !IsSequenceFunction(NameOfToken(text, tokens[i])))
      continue;
    const std::string_view quoted =
        std::string_view(text).substr(constant.origin, constant.origin_end - constant.origin);
    if (!quoted.starts_with('\'')) continue;  // E'...' and the like
    try {
      SequenceName name = ParseSequenceName(ConstantValue(quoted));
      const bool has_schema = !name.schema.empty();
      if (!has_schema) name.schema = Catalog::kDefaultSchema;
      found.push_back({std::move(name), has_schema, constant.origin, constant.origin_end});
    } catch (const Error&) {
      continue;  // no name: the call itself will fail
    }
  }
  return found;
}

bool IsSame(const SequenceName& a, const SequenceName& b) { return a.schema == b.schema && a.name == b.name; }

bool NamesAny(const std::string& text, const std::vector<SequenceName>& sequences) {
  const std::vector<NamedSequence> named = NamedSequences(text);
  return std::any_of(named.begin(), named.end(), [&](const NamedSequence& each) {
    return std::any_of(sequences.begin(), sequences.end(),
                       [&](const SequenceName& sequence) { return IsSame(each.name, sequence); });
  });
}

std::string WithNewName(const std::string& text, const SequenceEntry& from, const SequenceEntry& to) {
  std::string result;
  size_t copied = 0;
  for (const NamedSequence& named : NamedSequences(text)) {
    if (!IsSame(named.name, {from.schema, from.name})) continue;
    result.append(text, copied, named.begin - copied);
    result += QuotedText(QuotedIdentifier(to.schema) + "." + QuotedIdentifier(to.name));
    copied = named.end;
  }
  return result + text.substr(copied);
}

}  // namespace

std::string WithMovedSequence(const std::string& text, const SequenceEntry& sequence,
                              const std::string& schema) {
  SequenceEntry moved(sequence);
  moved.schema = schema;
  return WithNewName(text, sequence, moved);
}

std::vector<SequenceName> SequencesIn(const std::string& text) {
  std::vector<SequenceName> names;
  for (NamedSequence& named : NamedSequences(text)) names.push_back(std::move(named.name));
  return names;
}

namespace {

bool IsTemporary(const BinderContext& context, const NamedSequence& named) {
  if (named.has_schema) return IsTemporarySchema(named.name.schema);
  return context.catalog.Find<SequenceEntry>(context.transaction, kTemporarySchema, named.name.name) !=
         nullptr;
}

}  // namespace

bool NamesTemporarySequence(const BinderContext& context, const std::string& text) {
  const std::vector<NamedSequence> named = NamedSequences(text);
  return std::any_of(named.begin(), named.end(),
                     [&](const NamedSequence& each) { return IsTemporary(context, each); });
}

std::string WithSequenceSchemas(const BinderContext& context, const std::string& text, bool is_temporary) {
  std::string result;
  size_t copied = 0;
  for (const NamedSequence& named : NamedSequences(text)) {
    if (named.has_schema && context.elsewhere == nullptr) continue;
    const std::string schema =
        is_temporary && IsTemporary(context, named) ? kTemporarySchema : named.name.schema;
    const std::string database =
        context.elsewhere == nullptr ? "" : QuotedIdentifier(context.elsewhere->name) + ".";
    result.append(text, copied, named.begin - copied);
    result += QuotedText(database + QuotedIdentifier(schema) + "." + QuotedIdentifier(named.name.name));
    copied = named.end;
  }
  return result + text.substr(copied);
}

std::string WithSequencesOfPath(const BinderContext& context, const std::string& text) {
  std::string result;
  size_t copied = 0;
  for (const NamedSequence& named : NamedSequences(text)) {
    if (named.has_schema) continue;
    const auto found = context.catalog.Find<SequenceEntry>(context.transaction, "", named.name.name);
    if (!found) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
                 fmt::format("sequence \"{}\" does not exist", named.name.name));
    }
    if (found->schema == Catalog::kDefaultSchema || IsTemporarySchema(found->schema)) continue;
    result.append(text, copied, named.begin - copied);
    result += QuotedText(QuotedIdentifier(found->schema) + "." + QuotedIdentifier(named.name.name));
    copied = named.end;
  }
  return result + text.substr(copied);
}

void CheckSequencesExist(const BinderContext& context, const std::vector<SequenceName>& names,
                         size_t position) {
  for (const SequenceName& name : names) {
    if (!name.database.empty()) {
      ThrowNotSupported(
          fmt::format("definitions name no databases: leave \"{}\" out of the name of the sequence",
                      name.database),
          position);
    }
    const CatalogEntryRef entry = context.catalog.FindRelation(context.transaction, name.schema, name.name);
    if (!entry) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
                 fmt::format("sequence \"{}\" does not exist", name.name), position);
    }
    if (entry->kind != CatalogEntryKind::kSequence) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
                 fmt::format("\"{}\" is {}, not a sequence", name.name, KindWithArticle(*entry)), position);
    }
  }
}

std::vector<BrokenText> FindTextsNaming(const BinderContext& context,
                                        const std::vector<SequenceName>& sequences) {
  std::vector<BrokenText> found;
  const std::string error = "the sequence does not exist";
  for (const TableEntryRef& table : context.catalog.ListAll<TableEntry>(context.transaction)) {
    for (const ColumnDefinition& column : table->columns) {
      if (NamesAny(column.default_text, sequences))
        found.push_back({nullptr, table, BrokenText::Kind::kDefault, column.name, error});
    }
  }
  for (const ViewEntryRef& view : context.catalog.ListAll<ViewEntry>(context.transaction)) {
    if (NamesAny(view->text, sequences))
      found.push_back({view, nullptr, BrokenText::Kind::kView, view->name, error});
  }
  return found;
}

void RenameSequenceInTexts(const BinderContext& context, BoundAlterSequence& alter) {
  for (TableEntryRef& table : context.catalog.ListAll<TableEntry>(context.transaction)) {
    std::shared_ptr<TableEntry> changed;
    for (size_t i = 0; i < table->columns.size(); i++) {
      std::string text = WithNewName(table->columns[i].default_text, *alter.old, *alter.sequence);
      if (text == table->columns[i].default_text) continue;
      if (!changed) changed = std::make_shared<TableEntry>(*table);
      changed->columns[i].default_text = std::move(text);
    }
    if (changed) alter.tables.push_back({std::move(table), std::move(changed)});
  }
  for (ViewEntryRef& view : context.catalog.ListAll<ViewEntry>(context.transaction)) {
    auto changed = std::make_shared<ViewEntry>(*view);
    changed->text = WithNewName(view->text, *alter.old, *alter.sequence);
    if (changed->text != view->text) alter.views.push_back({std::move(view), std::move(changed)});
  }
}

}  // namespace scaup

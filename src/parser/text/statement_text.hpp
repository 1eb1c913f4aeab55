// The text of one statement for the grammar, and its mapping to the user's text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parser/text/token.hpp"

namespace scaup {

/// The forms into which the dialect step rewrites statements that PostgreSQL's grammar lacks.
enum class StatementForm : uint8_t {
  kPlain,
  kDescribe,        ///< the text is the query to describe
  kPragmaSetting,   ///< the text is SHOW name or SET name = value
  kPragmaFunction,  ///< the text is SELECT name(arguments)
  kExportDatabase,  ///< the text is COPY database TO 'directory' (options)
  kSetVariable,     ///< the text is SELECT (value) AS name
  kResetVariable,   ///< the text is SELECT 0 AS name
  kImportDatabase,  ///< the text is COPY database FROM 'directory'
  kAttach,          ///< the text is COPY [database.]name FROM 'path' (options)
  kDetach,          ///< the text is DROP TABLE [IF EXISTS] name
  kUse,             ///< the text is DROP TABLE name
  kCopyDatabase,    ///< the text is DROP TABLE source, target
};

/// One statement, ready for the grammar. `sql` is borrowed from the parser's caller.
struct StatementText {
  std::string_view sql;
  std::string text;
  std::vector<Token> tokens;  ///< sorted by start
  StatementForm form = StatementForm::kPlain;
  bool if_not_exists = false;   ///< CREATE VIEW, ATTACH IF NOT EXISTS, which the grammar lacks
  bool or_replace = false;      ///< CREATE OR REPLACE TABLE, which the grammar lacks
  bool is_temporary = false;    ///< CREATE TEMPORARY MACRO, which the grammar lacks
  bool is_macro = false;        ///< FUNCTION was written MACRO
  bool is_table_macro = false;  ///< CREATE MACRO ... AS TABLE
  bool is_aggregate = false;    ///< FUNCTION was written AGGREGATE
  /// CREATE SCHEMA d.s, written as CREATE SCHEMA s AUTHORIZATION d, or DROP SCHEMA d.s, as DROP TABLE d.s
  bool is_schema_of_database = false;
  bool is_collection = false;     ///< CREATE TABLE or DROP TABLE was written with COLLECTION
  bool is_element_table = false;  ///< CREATE INDEX or DROP TABLE was written with ELEMENT TABLE
  size_t parameter_count = 0;
  size_t position = 0;  ///< of the whole statement in `sql`
  size_t length = 0;

  /// Returns the index of the token at or before a byte offset of `text`.
  size_t TokenIndex(int64_t location) const;
  /// Converts a byte offset of `text` to one of `sql`. A negative (unknown) offset gives the statement's
  /// beginning.
  size_t Position(int64_t location) const;
  /// Returns whether the token at a byte offset of `text` has this mark.
  bool HasMark(int64_t location, TokenMark mark) const;
  /// Returns the token's text as the grammar gets it.
  std::string_view TokenText(size_t index) const;
  /// Returns the last token of this type before the one at `location`, skipping brackets that are closed in
  /// between; tokens.size() if there is none.
  size_t FindBackward(int64_t location, TokenType type) const;
  /// Returns the first token of this type at or after `from`; tokens.size() if there is none.
  size_t FindForward(TokenType type, size_t from = 0) const;
  /// Returns whether the token is this keyword, given in lower case.
  bool IsKeyword(size_t index, std::string_view lower) const;
  /// Returns the first token at or after `from` that is this keyword, skipping brackets; tokens.size() if
  /// there is none.
  size_t FindKeyword(std::string_view lower, size_t from) const;
  /// Returns the first tokens of the items of a comma-separated list. The first item begins at `from`; the
  /// list ends at its closing bracket or the statement's end.
  std::vector<size_t> ListItems(size_t from) const;
  /// Returns the user's text from one token to another, both included.
  std::string Origin(size_t first, size_t last) const;
  /// Returns the user's text after a token, up to the statement's end. This is correct even if the dialect
  /// step has moved tokens.
  std::string OriginBehind(size_t index) const;
  /// Returns the bracket that closes the one at `open`; tokens.size() if there is none.
  size_t Closing(size_t open) const;
  /// Inserts a name after a token. Positions in the name map to that token.
  void InsertName(size_t index, std::string_view name);
  /// Returns the byte offset of a token, -1 if there is none.
  int64_t Location(size_t index) const;
};

}  // namespace scaup

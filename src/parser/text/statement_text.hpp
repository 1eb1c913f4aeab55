// The text of one statement as the grammar gets it, with the way back to what the user wrote.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parser/text/token.hpp"

namespace scaup {

/// The forms that the dialect step gives to statements that PostgreSQL's grammar lacks.
enum class StatementForm : uint8_t {
  kPlain,
  kDescribe,        ///< the text is the query to describe
  kPragmaSetting,   ///< the text is SHOW name or SET name = value
  kPragmaFunction,  ///< the text is SELECT name(arguments)
  kExportDatabase,  ///< the text is COPY database TO 'directory' (options)
  kImportDatabase,  ///< the text is COPY database FROM 'directory'
};

/// One statement, ready for the grammar. `sql` is borrowed from the caller of the parser.
struct StatementText {
  std::string_view sql;
  std::string text;
  std::vector<Token> tokens;  ///< sorted by start
  StatementForm form = StatementForm::kPlain;
  bool if_not_exists = false;     ///< of CREATE VIEW IF NOT EXISTS, which the grammar lacks
  bool is_collection = false;     ///< CREATE TABLE and DROP TABLE were written with COLLECTION
  bool is_element_table = false;  ///< CREATE INDEX and DROP TABLE stand for those of ELEMENT TABLE
  size_t parameter_count = 0;
  size_t position = 0;  ///< of the whole statement in `sql`
  size_t length = 0;

  /// The index of the token at or before a byte offset of `text`.
  size_t TokenIndex(int64_t location) const;
  /// Where in `sql` a byte offset of `text` came from; of a negative one (unknown) the statement's begin.
  size_t Position(int64_t location) const;
  /// The token's text as the grammar got it.
  std::string_view TokenText(size_t index) const;
  /// The index of the last token of this type before the one at `location`, outside of brackets closed in
  /// between; tokens.size() if there is none.
  size_t FindBackward(int64_t location, TokenType type) const;
  /// The index of the first token of this type; tokens.size() if there is none.
  size_t FindForward(TokenType type, size_t from = 0) const;
  /// Whether the token is this keyword (given in lower case).
  bool IsKeyword(size_t index, std::string_view lower) const;
  /// The index of this keyword at or after `from`, outside of brackets that open from there on; tokens.size()
  /// if there is none.
  size_t FindKeyword(std::string_view lower, size_t from) const;
  /// The indexes of the tokens that begin the items of a comma list, the first of which begins at `from`. The
  /// list ends at its closing bracket or the statement's end.
  std::vector<size_t> ListItems(size_t from) const;
  /// The text that the user wrote from one token to another, both included.
  std::string Origin(size_t first, size_t last) const;
  /// The text that the user wrote after a token, up to the statement's end: also where tokens have other
  /// places now.
  std::string OriginBehind(size_t index) const;
  /// The index of the bracket that closes the one at `open`; tokens.size() if there is none.
  size_t Closing(size_t open) const;
  /// Puts a name behind a token; to the user it stands where the token does.
  void InsertName(size_t index, std::string_view name);
  /// The byte offset of a token, -1 if there is none.
  int64_t Location(size_t index) const;
};

}  // namespace scaup

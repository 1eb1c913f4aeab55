// Statement buffer: collects lines of input until they contain whole SQL statements.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scaup::shell {

/// A statement as the user typed it, without the semicolon and without white space around it.
struct BufferedStatement {
  std::string text;
  size_t first_line = 1;  ///< line of the input, counted from 1
};

/// Splits lines of input into statements. It scans quotes, comments, dollar quotes, the JSON of INSERT ...
/// OBJECT and the bodies of functions in BEGIN ATOMIC ... END or in braces, so that a semicolon inside them
/// does not end a statement. Each byte is scanned once, however many lines a statement has. Used by one
/// thread.
class StatementBuffer {
 public:
  /// Appends a line, given without its line feed.
  void AddLine(std::string_view line);
  /// Returns the next statement that ends with a semicolon; nullopt if more lines are needed. Skips
  /// statements that consist of comments.
  std::optional<BufferedStatement> Next();
  /// Returns the last statement, which has no semicolon; nullopt if only white space and comments remain.
  /// Clears the buffer.
  std::optional<BufferedStatement> Finish();
  /// Returns whether no statement has begun, so that the next line may be a dot command.
  bool IsBlank() const;
  /// Drops everything that was not returned yet.
  void Clear();

 private:
  enum class State {
    kPlain,
    kSingleQuote,
    kEscapeQuote,
    kDoubleQuote,
    kLineComment,
    kBlockComment,
    kDollarQuote,
    kObject,        ///< JSON of INSERT INTO ... OBJECT {...}
    kObjectString,  ///< a string within the JSON
    kBody,          ///< body of a function in another language than SQL, in braces
    kBodyString,
    kBodyComment  ///< from # to the end of the line
  };

  size_t ScanPlain(size_t position);
  size_t ScanInside(size_t position);
  size_t ScanBody(size_t position);
  bool StartsDollarQuote(size_t position);
  bool FollowsObjectWord(size_t position) const;
  void SeeWord(size_t position);
  void SeeFunctionWord(const std::string& word);
  BufferedStatement Take(size_t end);

  std::string buffer_;
  size_t scan_ = 0;                           // first byte that was not scanned
  size_t content_begin_ = std::string::npos;  // first byte of the statement, its comments included
  bool has_token_ = false;                    // the statement is more than comments
  bool found_end_ = false;
  State state_ = State::kPlain;
  size_t comment_depth_ = 0;
  size_t object_depth_ = 0;    // open brackets of JSON
  bool after_object_ = false;  // only a comma is between the last object and the scanned byte
  std::string last_word_;      // in lower case, if nothing but white space follows it
  /// The place in CREATE FUNCTION that the words so far have reached: a body in braces may begin behind its
  /// language.
  enum class Function { kBeforeCreate, kBeforeFunction, kBeforeLanguage, kLanguage, kMayBegin, kNone };
  Function function_ = Function::kBeforeCreate;
  size_t brace_depth_ = 0;  // of the body in braces
  std::string body_quote_;  // that ends the string in the body, one sign or three
  size_t body_depth_ = 0;   // BEGIN ATOMIC, and CASE within it, that END is still to close
  std::string dollar_tag_;  // with both dollar signs
  size_t line_ = 1;         // line of buffer_[0]
};

/// Returns the statement on one line, for the history, with spaces for line feeds. Returns nullopt if that
/// would change its meaning, as with line comments or line feeds in quotes.
std::optional<std::string> OnOneLine(std::string_view statement);

}  // namespace scaup::shell

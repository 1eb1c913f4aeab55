// Collects lines of input until they make up whole SQL statements.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scaup::shell {

/// One statement as it was typed, without the semicolon and without white space around it.
struct BufferedStatement {
  std::string text;
  size_t first_line = 1;  ///< of the input, counted from 1
};

/// Knows quotes, comments, dollar quotes and the JSON of INSERT ... OBJECT, so that a semicolon inside them
/// ends nothing. Each byte is looked at once, however many lines a statement has. One thread.
class StatementBuffer {
 public:
  /// Appends a line, given without its line feed.
  void AddLine(std::string_view line);
  /// The next statement that a semicolon ended; nothing if more lines are needed. Statements of comments
  /// alone are left out.
  std::optional<BufferedStatement> Next();
  /// The last statement, which no semicolon ended; nothing if only white space and comments are left. Clears
  /// the buffer.
  std::optional<BufferedStatement> Finish();
  /// True when what was not handed out yet holds no part of a statement: a dot command may come now.
  bool IsBlank() const;
  /// Forgets what was not handed out yet.
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
    kObject,       ///< JSON of INSERT INTO ... OBJECT {...}
    kObjectString  ///< within it
  };

  size_t ScanPlain(size_t position);
  size_t ScanInside(size_t position);
  bool StartsDollarQuote(size_t position);
  bool FollowsObjectWord(size_t position) const;
  BufferedStatement Take(size_t end);

  std::string buffer_;
  size_t scan_ = 0;                           // everything before was looked at
  size_t content_begin_ = std::string::npos;  // first byte of the statement, its comments included
  bool has_token_ = false;                    // the statement is more than comments
  bool found_end_ = false;
  State state_ = State::kPlain;
  size_t comment_depth_ = 0;
  size_t object_depth_ = 0;    // brackets of JSON
  bool after_object_ = false;  // nothing but a comma stands between the last object and here
  std::string dollar_tag_;     // with both dollar signs
  size_t line_ = 1;            // of buffer_[0]
};

/// The statement on one line, as history keeps it: line feeds become spaces. Nothing when that would change
/// its meaning: line comments, line feeds in quotes.
std::optional<std::string> OnOneLine(std::string_view statement);

}  // namespace scaup::shell

// Masks JSON objects and the bodies of functions before PostgreSQL's scanner reads the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scaup {

/// Replaces JSON objects after the word OBJECT, and after a comma that follows such an object, with string
/// literals of the same length. PostgreSQL's scanner would take the strings of JSON for quoted names, and
/// misread them after the first \". So is the body in braces of CREATE FUNCTION ... LANGUAGE name {...}, in
/// which other rules hold, unless the language is SQL. All positions stay the same, so the object is the
/// token's text in `sql`. Returns nullopt if there are no objects. Does not look into strings, comments and
/// quoted names of SQL. Throws Error(22P02) with the position at which an object is not JSON.
std::optional<std::string> MaskObjects(std::string_view sql);

/// Returns the end of the body of a function that begins with a brace at `open`; nothing if it does not end.
/// Braces in strings and in comments from # on do not count, as Python and many languages have them.
std::optional<size_t> EndOfBracedBody(std::string_view text, size_t open);

}  // namespace scaup

// Finds the JSON objects of INSERT INTO c OBJECT {...} before PostgreSQL's scanner sees the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scaup {

/// The scanner would take the strings of JSON for quoted names, and lose its way at the first \". So it gets
/// the text with each object that stands behind the word OBJECT, and behind a comma after such an object, as
/// a string literal of the same length: all positions stay what they are, and the token's text in `sql` is
/// the object. Nothing if there is none. Strings, comments and quoted names of SQL are not looked into.
/// Throws Error(22P02) with its position where an object is not JSON.
std::optional<std::string> MaskObjects(std::string_view sql);

}  // namespace scaup

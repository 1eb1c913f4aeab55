// Upper and lower case of UTF-8 text by Unicode's simple mappings.
#pragma once

#include <string>
#include <string_view>

namespace scaup {

/// Replaces `out` by `text` in lower or upper case. Bytes that are not UTF-8 stay as they are. `out` keeps
/// its memory, so that a loop over rows allocates only when a longer text comes.
void ToLower(std::string_view text, std::string& out);
void ToUpper(std::string_view text, std::string& out);
/// Writes text.size() bytes to `out`, the text in lower or upper case. False if it is not all ASCII: what was
/// written is then of no use.
bool AsciiToLower(std::string_view text, char* out);
bool AsciiToUpper(std::string_view text, char* out);
/// The first letter of each word upper, the others lower; words are runs of letters and digits.
void ToInitialCaps(std::string_view text, std::string& out);

}  // namespace scaup

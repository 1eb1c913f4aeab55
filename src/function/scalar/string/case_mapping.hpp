// Upper and lower case of UTF-8 text by Unicode's simple mappings.
#pragma once

#include <string>
#include <string_view>

namespace scaup {

/// Replaces `out` by `text` in lower or upper case. Bytes that are not UTF-8 stay as they are. `out` keeps
/// its memory, so that a loop over rows allocates only when a longer text comes.
void ToLower(std::string_view text, std::string& out);
void ToUpper(std::string_view text, std::string& out);
/// The first letter of each word upper, the others lower; words are runs of letters and digits.
void ToInitialCaps(std::string_view text, std::string& out);

}  // namespace scaup

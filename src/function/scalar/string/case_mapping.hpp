// Upper and lower case of UTF-8 text by Unicode's simple mappings.
#pragma once

#include <string>
#include <string_view>

namespace scaup {

/// Sets `out` to the text in lower or upper case. Bytes that are not UTF-8 do not change. `out` retains its
/// memory, so that a loop over rows allocates only for longer texts.
void ToLower(std::string_view text, std::string& out);
void ToUpper(std::string_view text, std::string& out);
/// Writes the text in lower or upper case, text.size() bytes, to `out`. Returns false if it is not all ASCII;
/// the output is then unusable.
bool AsciiToLower(std::string_view text, char* out);
bool AsciiToUpper(std::string_view text, char* out);
/// Makes the first letter of each word upper case and the others lower case; words are runs of letters and
/// digits.
void ToInitialCaps(std::string_view text, std::string& out);

}  // namespace scaup

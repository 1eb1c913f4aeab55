// Decodes UTF-8 to code points.
#include "function/scalar/string/code_points.hpp"

#include <utf8proc.h>

namespace scaup {

void DecodeCodePoints(std::string_view text, std::vector<int32_t>& characters) {
  characters.clear();
  for (size_t at = 0; at < text.size();) {
    utf8proc_int32_t code_point;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                         static_cast<utf8proc_ssize_t>(text.size() - at), &code_point);
    characters.push_back(length > 0 ? code_point : static_cast<unsigned char>(text[at]));
    at += length > 0 ? static_cast<size_t>(length) : 1;
  }
}

}  // namespace scaup

// Texts that are written into a buffer of the program.
#include "text_buffer.hpp"

#include <algorithm>
#include <cstring>

#include "edge.hpp"

namespace scaup::c {

void CopyText(std::string_view text, char* buffer, size_t capacity, size_t* length) {
  if (capacity != 0) {
    const size_t copied = std::min(text.size(), capacity - 1);
    std::memcpy(&Require(buffer, "the buffer"), text.data(), copied);
    buffer[copied] = '\0';
  }
  if (length != nullptr) *length = text.size();
}

}  // namespace scaup::c

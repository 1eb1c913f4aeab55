// Reads what a client sends during COPY.
#include "copy_data.hpp"

#include <string>

#include "scaup/error.hpp"
#include "wire.hpp"

namespace scaup::server {

std::optional<std::string_view> CopyData::Next() {
  while (!is_done_) {
    const Message message = client_.channel.ReadMessage(client_.max_message_bytes);
    switch (message.type) {
      case 'd': return message.body;
      case 'c': is_done_ = true; break;
      case 'f':
        is_done_ = true;
        throw Error(ErrorKind::kInterrupted, "57014",
                    "COPY from stdin failed: " + std::string(MessageReader(message.body).CString()));
      // Drivers send these with the message that has begun the COPY.
      case 'H':
      case 'S': break;
      default: throw ProtocolError("a message that does not belong to COPY came during it");
    }
  }
  return std::nullopt;
}

}  // namespace scaup::server

// Chooses the direction of a COPY, and reads its options.
#include "copy.hpp"

#include "copy_in.hpp"
#include "copy_options.hpp"
#include "copy_out.hpp"

namespace scaup::server {

std::string RunCopy(const CopyStream& copy, ClientState& client) {
  const CopyOptions options = ReadCopyOptions(copy);
  const uint64_t count = copy.is_from ? CopyIn(copy, options, client) : CopyOut(copy, options, client);
  return "COPY " + std::to_string(count);
}

}  // namespace scaup::server

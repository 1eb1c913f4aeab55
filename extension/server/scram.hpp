// SCRAM-SHA-256 (RFC 5802, RFC 7677), by OpenSSL's functions where the build has found it.
#pragma once

#include <string>
#include <string_view>

#include "authentication.hpp"

namespace scaup::server {

/// Returns whether the build has OpenSSL. The other functions need it.
bool HaveScram();
ScramVerifier MakeVerifier(std::string_view password);
/// Appends the decoded bytes. Returns false for malformed text.
bool DecodeBase64(std::string_view text, std::string& bytes);
std::string EncodeBase64(std::string_view bytes);

}  // namespace scaup::server

// Errors and notices as messages.
#pragma once

#include <string>
#include <string_view>

#include "scaup/error.hpp"

namespace scaup::server {

/// Appends an ErrorResponse of severity ERROR. `sql` is the client's whole text, in which the error's
/// position counts from `offset`.
void AppendError(const Error& error, std::string_view sql, size_t offset, std::string& out);
/// Appends an ErrorResponse of severity FATAL, after which the connection ends.
void AppendFatal(const char* sqlstate, std::string_view message, std::string& out);
/// Appends a NoticeResponse of severity WARNING.
void AppendWarning(const char* sqlstate, std::string_view message, std::string& out);
/// Returns the exception that is being handled as an Error. Rethrows ConnectionLost and ProtocolError.
Error CurrentError();

}  // namespace scaup::server

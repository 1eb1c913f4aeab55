// Translates system errors to Error, for all implementations of FileSystem.
#pragma once

#include <string>

namespace scaup {

/// Throws Error(kIo) `could not <action> file "<path>": <text of errno>`, with SQLSTATE 58P01 for a missing
/// file, 53100 for a full disk and 58030 otherwise.
[[noreturn]] void ThrowIoError(const char* action, const std::string& path, int error_number);

/// The directory part of a path; "." if there is none, "/" for the root.
std::string ParentDirectory(const std::string& path);

}  // namespace scaup

// How errors of the system become Error: shared by all that implement FileSystem, so that tests see the same.
#pragma once

#include <string>

namespace scaup {

/// Throws Error(kIo) `could not <action> file "<path>": <text of errno>`, with SQLSTATE 58P01 for a missing
/// file, 53100 for a full disk, and 58030 for the rest.
[[noreturn]] void ThrowIoError(const char* action, const std::string& path, int error_number);

/// The directory that a path's last name is in: "." and "/" where it names none other.
std::string ParentDirectory(const std::string& path);

}  // namespace scaup

// The file system of http:// and https://.
#pragma once

#include <memory>

#include "common/memory/memory_tracker.hpp"
#include "scaup/file_host.hpp"

namespace scaup {

/// Makes it. Statements may use it if the setting http_files is on. `memory` has the bytes of files whose
/// servers give no parts of them.
std::shared_ptr<FileHost> MakeHttpHost(std::shared_ptr<MemoryTracker> memory);

}  // namespace scaup

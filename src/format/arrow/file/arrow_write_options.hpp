// The options of COPY TO for Arrow files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "scaup/arrow_ipc.hpp"
#include "scaup/value.hpp"

namespace scaup {

struct ArrowWriteOptions {
  ArrowIpcWriter::Compression compression = ArrowIpcWriter::Compression::kNone;
  size_t batch_rows = 122880;
  bool is_stream = false;  ///< the streaming format, which has no footer
};

/// Parses options from names (in any case) and values; NULL stands for an option without a value. Throws
/// Error(kBinder): 42601 for an unknown or repeated option, 22023 for an invalid value.
ArrowWriteOptions ParseArrowWriteOptions(std::span<const std::pair<std::string, Value>> options);

}  // namespace scaup

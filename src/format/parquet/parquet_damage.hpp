// Faults in the bytes of Parquet files, as exceptions of the readers.
#pragma once

#include <string>

#include "common/throw.hpp"

namespace scaup {

/// A fault in the bytes of a file. Thrown by code that knows no path; ParquetFile::Guard turns it into the
/// user's Error, which names the file.
struct ParquetDamage {
  std::string what;         ///< completes "the file is damaged: "
  bool is_unknown = false;  ///< not damaged: a feature that this reader does not have
};

[[noreturn]] void ThrowParquetDamage(std::string what);
[[noreturn]] void ThrowParquetUnknown(std::string what);
/// Throws Error(kIo, 22P04), or Error(kNotSupported, 0A000) for a missing feature.
[[noreturn]] void ThrowParquetError(const std::string& path, const ParquetDamage& damage);

}  // namespace scaup

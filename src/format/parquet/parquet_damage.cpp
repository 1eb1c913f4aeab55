// Words the errors of Parquet files.
#include "format/parquet/parquet_damage.hpp"

#include <fmt/format.h>

namespace scaup {

void ThrowParquetDamage(std::string what) { throw ParquetDamage{std::move(what)}; }

void ThrowParquetUnknown(std::string what) { throw ParquetDamage{std::move(what), true}; }

void ThrowParquetError(const std::string& path, const ParquetDamage& damage) {
  if (damage.is_unknown) {
    ThrowError(ErrorKind::kNotSupported, sqlstate::kFeatureNotSupported,
               fmt::format("could not read \"{}\": {}", path, damage.what));
  }
  ThrowError(ErrorKind::kIo, sqlstate::kBadCopyFileFormat,
             fmt::format("could not read \"{}\": the Parquet data is damaged: {}", path, damage.what));
}

}  // namespace scaup

// Decodes the values of data pages, by encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "format/parquet/parquet_types.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// The size of a raw value: uint8_t for booleans, the number for numbers, 12 bytes for INT96, a StringRef for
/// byte arrays of both kinds.
size_t RawValueBytes(ParquetType type);

/// The values of one page in the order of the page, without those that are NULL. Values come in raw form.
/// Strings point into the page, or into the vector that Read gets. Borrows the page, which kPagePadding
/// readable bytes follow. Functions throw ParquetDamage when the values end early. One thread at a time.
class ValueDecoder {
 public:
  virtual ~ValueDecoder() = default;
  /// Writes `count` <= kVectorSize raw values. `heap`, after Reset(), takes the bytes of strings that are not
  /// in the page as they are.
  virtual void Read(size_t count, std::byte* raw, Vector& heap) = 0;
  virtual void Skip(size_t count) = 0;
  /// The next `count` values, which it skips, where they lie in the page in raw form; otherwise null.
  virtual const std::byte* Take(size_t /*count*/) { return nullptr; }
};

/// Makes the decoder of a page that has no dictionary. Throws ParquetDamage for an encoding that the type
/// does not have.
std::unique_ptr<ValueDecoder> MakeValueDecoder(const ParquetLeaf& leaf, ParquetEncoding encoding,
                                               std::span<const std::byte> bytes);

// The families of encodings.
std::unique_ptr<ValueDecoder> MakePlainDecoder(const ParquetLeaf& leaf, std::span<const std::byte> bytes);
std::unique_ptr<ValueDecoder> MakeDeltaDecoder(const ParquetLeaf& leaf, ParquetEncoding encoding,
                                               std::span<const std::byte> bytes);

}  // namespace scaup

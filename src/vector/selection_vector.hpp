// Selection vectors: the rows of a vector that take part, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace scaup {

/// The rows per vector; also the rows of a compressed block on disk and of a zone map.
inline constexpr size_t kVectorSize = 1024;

/// A row number inside a vector or dictionary.
using sel_t = uint32_t;

/// A buffer for one selection of up to 1024 rows.
struct SelectionVector {
  sel_t rows[kVectorSize];
};

/// A selection shared by several vectors of a chunk. It is written only before it is shared.
using SelectionRef = std::shared_ptr<SelectionVector>;

/// The selection 0, 1, 2, ... 1023.
const sel_t* IdentitySelection();
/// The selection 0, 0, 0, ...
const sel_t* ZeroSelection();

}  // namespace scaup

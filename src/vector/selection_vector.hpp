// Selection vectors: which rows of a vector take part, in which order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace scaup {

/// Rows per vector; also the rows of a compressed block on disk and of a zone map.
inline constexpr size_t kVectorSize = 1024;

/// A row number inside a vector or dictionary.
using sel_t = uint32_t;

/// Room for one selection of up to 1024 rows.
struct SelectionVector {
  sel_t rows[kVectorSize];
};

/// A selection that several vectors of a chunk share. Written only before it is shared.
using SelectionRef = std::shared_ptr<SelectionVector>;

/// 0, 1, 2, ... 1023.
const sel_t* IdentitySelection();
/// 0, 0, 0, ...
const sel_t* ZeroSelection();

}  // namespace scaup

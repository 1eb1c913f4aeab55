// Values of Arrow arrays as vectors: without a copy where both lay values out alike.
#pragma once

#include <cstddef>
#include <memory>

#include "format/arrow/arrow_type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Whether an array is what its type says, as far as its structure tells: it was made by somebody else.
/// Throws Error(kConversion, 22023) where it is not.
void CheckArrowArray(const ArrowType& type, const ArrowArray& array);

/// Puts the rows [begin, begin + count), at most 1024, of a checked array into `output`, which is after
/// Release() and of the type's SQL type. `owner` keeps the array alive; `output` may share its memory. Throws
/// Error(22021) for a string that is no text, Error(22P02) for JSON that is none, Error(22008) for a time
/// beyond SQL's.
void ReadArrowColumn(const ArrowType& type, const ArrowArray& array, size_t begin, size_t count,
                     const std::shared_ptr<const void>& owner, Vector& output);

}  // namespace scaup

// Reads Arrow arrays into vectors, without copying where the layouts agree.
#pragma once

#include <cstddef>
#include <memory>

#include "format/arrow/arrow_type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Checks that the structure of a foreign array matches its type. Throws Error(kConversion, 22023) if not.
void CheckArrowArray(const ArrowType& type, const ArrowArray& array);

/// Reads the rows [begin, begin + count), at most 1024, into `output`. `owner` keeps the array alive;
/// `output` may share its memory. Throws Error(22021) for a string that is not valid text, Error(22P02) for
/// invalid JSON, Error(22008) for a time out of SQL's range. REQUIRES: the array was checked; `output` is
/// after Release() and of the type's SQL type.
void ReadArrowColumn(const ArrowType& type, const ArrowArray& array, size_t begin, size_t count,
                     const std::shared_ptr<const void>& owner, Vector& output);

}  // namespace scaup

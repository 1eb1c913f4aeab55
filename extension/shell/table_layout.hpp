// Table layout: chooses the widths of a table's columns so that the table fits the terminal.
#pragma once

#include <cstddef>
#include <vector>

namespace scaup::shell {

/// The widths that a column asks for, in display columns.
struct ColumnWish {
  size_t natural = 0;  ///< width that shows all values in full
  size_t least = 0;    ///< width below which the column is useless
};

/// A column of the table to draw.
struct LaidOutColumn {
  size_t column = 0;  ///< index in the result; kLeftOut for the column of dots in place of omitted ones
  size_t width = 0;

  static constexpr size_t kLeftOut = static_cast<size_t>(-1);
};

/// Distributes `total_width` among the columns. It includes borders and padding, which take 3 per column and
/// 1. Narrow columns get their natural width, wide ones an equal width. If even the least widths do not fit,
/// columns in the middle are omitted, but never the first one. A `total_width` of 0 means no limit.
std::vector<LaidOutColumn> LayOutTable(const std::vector<ColumnWish>& wishes, size_t total_width);

}  // namespace scaup::shell

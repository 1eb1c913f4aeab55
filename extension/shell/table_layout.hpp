// Decides how wide each column of a table may be so that the table fits the terminal.
#pragma once

#include <cstddef>
#include <vector>

namespace scaup::shell {

/// What a column would like.
struct ColumnWish {
  size_t natural = 0;  ///< shows everything
  size_t least = 0;    ///< below this it says nothing any more
};

/// A column of the table as it will be drawn.
struct LaidOutColumn {
  size_t column = 0;  ///< index in the result; kLeftOut for the one that stands for columns left out
  size_t width = 0;

  static constexpr size_t kLeftOut = static_cast<size_t>(-1);
};

/// Shares `total_width` out, borders and padding (3 a column and 1) included. Narrow columns get all they
/// want, wide ones the same width each. Where even the least widths do not fit, columns from the middle are
/// left out; the first always stays. `total_width` 0 means no limit.
std::vector<LaidOutColumn> LayOutTable(const std::vector<ColumnWish>& wishes, size_t total_width);

}  // namespace scaup::shell

// Table layout: distributes the width fairly among columns.
#include "table_layout.hpp"

#include <algorithm>

namespace scaup::shell {

namespace {

constexpr size_t kBorderPerColumn = 3;  // a border and a space on both sides

// Chooses the columns to draw, from both ends in turn, until the next one does not fit.
std::vector<LaidOutColumn> ChooseColumns(const std::vector<ColumnWish>& wishes, size_t total_width) {
  std::vector<LaidOutColumn> chosen;
  size_t needed = 1;
  for (const ColumnWish& wish : wishes) needed += kBorderPerColumn + wish.least;
  if (total_width == 0 || needed <= total_width) {
    for (size_t i = 0; i < wishes.size(); ++i) chosen.push_back({i, wishes[i].least});
    return chosen;
  }
  size_t used = 1 + kBorderPerColumn + 1;  // the column of dots
  size_t left = 0;
  size_t right = wishes.size();
  while (left < right) {
    const bool from_left = left <= wishes.size() - right;
    const size_t next = from_left ? left : right - 1;
    if (left > 0 && used + kBorderPerColumn + wishes[next].least > total_width) break;
    used += kBorderPerColumn + wishes[next].least;
    if (from_left) {
      ++left;
    } else {
      --right;
    }
  }
  for (size_t i = 0; i < left; ++i) chosen.push_back({i, wishes[i].least});
  if (left < right) chosen.push_back({LaidOutColumn::kLeftOut, 1});
  for (size_t i = right; i < wishes.size(); ++i) chosen.push_back({i, wishes[i].least});
  return chosen;
}

}  // namespace

std::vector<LaidOutColumn> LayOutTable(const std::vector<ColumnWish>& wishes, size_t total_width) {
  std::vector<LaidOutColumn> chosen = ChooseColumns(wishes, total_width);
  size_t used = 1;
  for (const LaidOutColumn& column : chosen) used += kBorderPerColumn + column.width;
  if (total_width != 0 && used > total_width && chosen[0].width > 1) {
    // Not even one column fits, so the first one is narrowed.
    chosen[0].width -= std::min(chosen[0].width - 1, used - total_width);
    return chosen;
  }
  // Columns grow like water levels: the narrowest that are not yet satisfied grow first, all to the same
  // width.
  std::vector<LaidOutColumn*> thirsty;
  for (LaidOutColumn& column : chosen) {
    if (column.column != LaidOutColumn::kLeftOut && column.width < wishes[column.column].natural)
      thirsty.push_back(&column);
  }
  if (total_width == 0) {
    for (LaidOutColumn* column : thirsty) column->width = wishes[column->column].natural;
    return chosen;
  }
  size_t spare = total_width - std::min(total_width, used);
  while (spare > 0 && !thirsty.empty()) {
    LaidOutColumn* lowest = *std::min_element(
        thirsty.begin(), thirsty.end(), [](const auto* a, const auto* b) { return a->width < b->width; });
    ++lowest->width;
    --spare;
    if (lowest->width == wishes[lowest->column].natural) std::erase(thirsty, lowest);
  }
  return chosen;
}

}  // namespace scaup::shell

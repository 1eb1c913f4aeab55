// Lists the build rows of a hash join.
#include "execution/join/join_build_side.hpp"

#include <algorithm>

namespace scaup {

void JoinBuildSide::ListRows(const RowLayout& layout) {
  for (const RowCollection& rows : table.collections()) {
    rows.ForEachBlock([&](std::byte* first, size_t count) {
      for (size_t begin = 0; begin < count; begin += kVectorSize)
        row_slices.emplace_back(first + begin * layout.row_bytes(), std::min(kVectorSize, count - begin));
    });
  }
}

}  // namespace scaup

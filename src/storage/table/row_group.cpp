// Row groups: how a vector refers to a block.
#include "storage/table/row_group.hpp"

namespace scaup {

void ReferenceBlock(const std::shared_ptr<const ColumnSegment>& segment, size_t block_index, Vector& vector) {
  const ColumnBlock& block = *segment->blocks[block_index];
  switch (block.encoding) {
    case BlockEncoding::kFlat: vector.ReferenceFlat(block.data.get(), block.validity.get(), segment); return;
    case BlockEncoding::kDictionary: {
      Dictionary dictionary;
      dictionary.data = reinterpret_cast<const std::byte*>(segment->dictionary.data());
      dictionary.validity =
          segment->dictionary_validity.empty() ? nullptr : segment->dictionary_validity.data();
      dictionary.size = segment->dictionary.size();
      dictionary.owner = segment;
      dictionary.is_distinct = true;
      vector.ReferenceDictionary(std::move(dictionary), block.codes);
      return;
    }
  }
}

}  // namespace scaup

// The classes of stored segments by their encoding.
#pragma once

#include "storage/row_group/segment_loader.hpp"

namespace scaup {

/// The SegmentLoader for all encodings of docs/file-format.md: documents attribute by attribute, and columns
/// of values.
LoadedSegment LoadSegment(StoredColumn column);

}  // namespace scaup

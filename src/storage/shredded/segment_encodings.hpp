// LoadSegment: chooses the class of a stored segment by its encoding.
#pragma once

#include "storage/row_group/segment_loader.hpp"

namespace scaup {

/// The SegmentLoader for all encodings in docs/file-format.md: shredded documents, and columns of values.
LoadedSegment LoadSegment(StoredColumn column);

}  // namespace scaup

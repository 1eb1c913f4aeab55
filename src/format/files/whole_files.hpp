// Table functions over files as a whole: their names, and their contents as one value each.
#pragma once

#include "function/table_function.hpp"

namespace scaup {

/// read_text(paths): filename, content, size and last_modified of each file; the content must be UTF-8.
TableFunction MakeReadText();
/// read_blob(paths): the same with contents of any bytes.
TableFunction MakeReadBlob();
/// glob(pattern): the paths of files.
TableFunction MakeGlob();

}  // namespace scaup

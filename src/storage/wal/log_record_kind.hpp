// What the log says: one record for every change of a commit, one after the other in its frame.
#pragma once

#include <cstdint>

namespace scaup {

/// Begins every record. The numbers are in files and never change. What follows is in docs/file-format.md.
enum class LogRecordKind : uint8_t {
  kCreateSchema = 1,
  kDropSchema = 2,
  kCreateTable = 3,
  kDropTable = 4,
  kInsert = 5,
};

}  // namespace scaup

// The kinds of log records: a commit's frame has one record for each change.
#pragma once

#include <cstdint>

namespace scaup {

/// The first byte of every record. The numbers are stored in files and never change. docs/file-format.md
/// describes the contents of each kind.
enum class LogRecordKind : uint8_t {
  kCreateSchema = 1,
  kDropSchema = 2,
  kCreateTable = 3,
  kDropTable = 4,
  kInsert = 5,
  kDelete = 6,
  kUpdate = 7,
  kAttributes = 8,
  kCreateIndex = 16,
  kDropIndex = 17,
  kCreateSequence = 18,
  kDropSequence = 19,
  kReplaceSequence = 20,
  kSequencePosition = 21,
  kReplaceTable = 22,
  kRenameIndex = 23,
  kCreateView = 32,
  kDropView = 33,
  kReplaceView = 34,
  kComment = 43,
  kCreateType = 48,
  kDropType = 49,
  kReplaceType = 50,
  kCreateFunction = 51,
  kDropFunction = 52,
  kReplaceFunction = 53,
  kCreateDomain = 54,
  kDropDomain = 55,
  kReplaceDomain = 56,
};

}  // namespace scaup

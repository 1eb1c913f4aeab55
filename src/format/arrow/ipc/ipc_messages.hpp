// Numbers of Arrow's IPC format: those of message kinds, types and fields in its FlatBuffers (Message.fbs and
// Schema.fbs of the Arrow specification).
#pragma once

#include <cstdint>

namespace scaup::ipc {

constexpr int16_t kVersion5 = 4;
enum class Header : uint8_t { kSchema = 1, kDictionaryBatch = 2, kRecordBatch = 3 };

enum class Type : uint8_t {
  kNull = 1,
  kInt = 2,
  kFloatingPoint = 3,
  kBinary = 4,
  kUtf8 = 5,
  kBool = 6,
  kDecimal = 7,
  kDate = 8,
  kTime = 9,
  kTimestamp = 10,
  kInterval = 11,
  kList = 12,
  kStruct = 13,
  kUnion = 14,
  kFixedSizeBinary = 15,
  kFixedSizeList = 16,
  kMap = 17,
  kDuration = 18,
  kLargeBinary = 19,
  kLargeUtf8 = 20,
  kLargeList = 21,
  kBinaryView = 23,
  kUtf8View = 24,
};

// The slots of the tables' fields.
namespace message {
constexpr uint16_t kVersion = 0, kHeaderType = 1, kHeader = 2, kBodyLength = 3;
}
namespace schema {
constexpr uint16_t kEndianness = 0, kFields = 1, kMetadata = 2;
constexpr int16_t kLittle = 0;
}  // namespace schema
namespace field {
constexpr uint16_t kName = 0, kNullable = 1, kTypeType = 2, kType = 3, kDictionary = 4, kChildren = 5,
                   kMetadata = 6;
}
namespace key_value {
constexpr uint16_t kKey = 0, kValue = 1;
}
namespace dictionary_encoding {
constexpr uint16_t kId = 0, kIndexType = 1, kIsOrdered = 2;
}
namespace record_batch {
constexpr uint16_t kLength = 0, kNodes = 1, kBuffers = 2, kCompression = 3, kVariadicCounts = 4;
}
namespace dictionary_batch {
constexpr uint16_t kId = 0, kData = 1, kIsDelta = 2;
}
namespace footer {
constexpr uint16_t kVersion = 0, kSchema = 1, kDictionaries = 2, kRecordBatches = 3;
}
namespace body_compression {
constexpr uint16_t kCodec = 0, kMethod = 1;
constexpr int8_t kLz4Frame = 0, kZstd = 1, kByBuffer = 0;
}  // namespace body_compression

/// The bytes that every message begins with, and then, as 32 bits, the size of its FlatBuffer with padding.
constexpr uint32_t kContinuation = 0xFFFFFFFF;
/// To a multiple of this many bytes messages, and buffers in their bodies, are padded.
constexpr int64_t kAlignment = 8;

/// The size of a view of a text or of bytes.
constexpr int64_t kViewBytes = 16;

/// The number of values of a column, and how many of them are NULL.
struct Node {
  int64_t length, null_count;
};
/// A part of a message's body.
struct Buffer {
  int64_t offset, length;
};

/// A message in a file, as its footer lists it. Padding is written as zeros.
struct Block {
  int64_t offset;
  int32_t metadata_bytes;  // with the prefix
  int32_t padding;
  int64_t body_bytes;
};
static_assert(sizeof(Block) == 24);

/// Files begin with these bytes and two zeros, and end with the footer, its size as 32 bits, and these bytes.
constexpr char kFileMagic[] = "ARROW1";
constexpr uint64_t kFileMagicBytes = 6, kFileHeadBytes = 8;

}  // namespace scaup::ipc

// The dictionary of a collection's key paths and attributes (Sinew, SIGMOD 2014).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/byte_stream.hpp"

namespace scaup {

/// A key path: the keys that lead from a document to a value within nested objects. An array is a value.
using PathId = uint32_t;
/// The empty path, which means the document itself.
inline constexpr PathId kRootPath = 0;
/// An attribute, that is, a path and a type. Ids count from 0, in the order in which the collection first met
/// them.
using AttributeId = uint32_t;

/// The storage type of a value. The numbers are part of the file format.
enum class AttributeType : uint8_t {
  kNull = 1,
  kBoolean = 2,
  kInteger = 3,      ///< from -2^53 to 2^53: exact in a double
  kHugeInteger = 4,  ///< within 128 bits, but not within 64
  kDouble = 5,       ///< numbers whose text is the shortest one of the double
  kNumber = 6,       ///< text of any other number: 1.50, 1e400
  kString = 7,
  kEmptyObject = 8,  ///< objects with members have no attribute of their own
  kEmptyArray = 9,
  kBooleanArray = 10,  ///< typed arrays are not empty; elements may be null, but not all
  kIntegerArray = 11,  ///< each element as kInteger
  kDoubleArray = 12,   ///< doubles and integers that doubles hold exactly, each written as for kDouble
  kStringArray = 13,
  kArray = 14,  ///< JSON text of any other array
  // Integers within 64 bits but beyond +-2^53, where doubles are not exact; in an array, at least one element
  // is.
  kLongInteger = 15,
  kLongIntegerArray = 16,
};

/// The number of type numbers, 0 included.
inline constexpr size_t kAttributeTypeCount = 17;

struct Attribute {
  PathId path;
  AttributeType type;
};

/// The paths and attributes of a collection, by number (Tahara, Diamond, Abadi: Sinew, SIGMOD 2014, section
/// 3.1.2). It only grows: entries remain even if the transaction that added them does not commit. Therefore
/// it does not tell which attributes documents have; AttributeCensus and VisibleAttributes do. Shared by all
/// versions of the collection's catalog entry. Thread-safe.
class AttributeDictionary {
 public:
  AttributeDictionary();
  ~AttributeDictionary();

  /// The path of `key` below `parent`; added if missing.
  PathId AddPath(PathId parent, std::string_view key);
  std::optional<PathId> FindPath(PathId parent, std::string_view key) const;
  /// The path with this name (document_path.hpp).
  std::optional<PathId> FindPath(std::string_view name) const;
  AttributeId AddAttribute(PathId path, AttributeType type);
  std::optional<AttributeId> FindAttribute(PathId path, AttributeType type) const;

  // Ids are below these counts. From here to KeyViewOf no function takes a lock.
  size_t path_count() const;
  size_t attribute_count() const;
  /// Accessors by id. REQUIRES: the id is below the respective count.
  Attribute attribute(AttributeId id) const;
  PathId ParentOf(PathId path) const;
  /// The number of keys that lead to the path.
  size_t DepthOf(PathId path) const;
  /// The last of the path's keys, "" for the root. The view lives as long as the dictionary.
  std::string_view KeyViewOf(PathId path) const;
  /// The attributes of the path itself, ascending, without those of paths below it.
  std::vector<AttributeId> AttributesOf(PathId path) const;
  /// The attributes of the path and of all paths below it, ascending.
  std::vector<AttributeId> AttributesBelow(PathId path) const;
  std::string KeyOf(PathId path) const;
  /// The path's name: its keys joined by dots (document_path.hpp); "" for the root.
  std::string NameOf(PathId path) const;
  /// Whether `is_wanted` is true of an attribute of a path below `path`, or of `path` itself if
  /// `includes_path`. The callback must not call the dictionary.
  bool AnyBelow(PathId path, bool includes_path, const std::function<bool(AttributeId)>& is_wanted) const;
  /// All paths except the root that have attributes, or below which there are any. Ascending by id; objects
  /// come before their members.
  std::vector<PathId> AllPaths() const;

  /// A new number above 0, used to identify versions of the attributes that documents have.
  uint64_t NextEpoch() { return epoch_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// Writes the paths and attributes after the first `known_paths` and `known_attributes`.
  void Write(size_t known_paths, size_t known_attributes, ByteWriter& writer) const;
  /// Adds what Write wrote; entries that are known already must be equal. Throws Error(kIo, XX001).
  void Read(ByteReader& reader);

 private:
  struct Content;
  std::unique_ptr<Content> content_;
  std::atomic<uint64_t> epoch_{0};
};

}  // namespace scaup

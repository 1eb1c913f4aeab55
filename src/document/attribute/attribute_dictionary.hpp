// The key paths and attributes of one collection (Tahara, Diamond, Abadi: Sinew, SIGMOD 2014, section 3.1.2).
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

/// A key path: the keys that lead from a document to a value within nested objects. Arrays are values.
using PathId = uint32_t;
/// The empty path: the document itself.
inline constexpr PathId kRootPath = 0;
/// A path and a type. The ids of a collection count from 0, in the order in which they were first met.
using AttributeId = uint32_t;

/// How a value is kept. The numbers are in files.
enum class AttributeType : uint8_t {
  kNull = 1,
  kBoolean = 2,
  kInteger = 3,      ///< from -2^53 to 2^53: a double holds it
  kHugeInteger = 4,  ///< within 128 bits, but not within 64
  kDouble = 5,       ///< numbers that are written as the shortest text that means the same double
  kNumber = 6,       ///< text of any other number: 1.50, 1e400
  kString = 7,
  kEmptyObject = 8,  ///< other objects have no attribute of their own: their members have
  kEmptyArray = 9,
  kBooleanArray = 10,  ///< not empty; nulls may be among the elements of typed arrays, but not alone
  kIntegerArray = 11,  ///< each as kInteger
  kDoubleArray = 12,   ///< of doubles and integers that doubles hold exactly, each written as said at kDouble
  kStringArray = 13,
  kArray = 14,  ///< JSON text of any other array
  // Within 64 bits, but beyond 2^53 on either side, where doubles are not exact; at least one of an array.
  kLongInteger = 15,
  kLongIntegerArray = 16,
};

/// How many numbers there are to types, from 0 on.
inline constexpr size_t kAttributeTypeCount = 17;

struct Attribute {
  PathId path;
  AttributeType type;
};

/// Numbers of the paths and attributes of a collection. Only grows: what was added stays, also when the
/// transaction that added it does not commit. So it says nothing about which attributes documents have:
/// AttributeCensus and VisibleAttributes do. Thread-safe; shared by all versions of the collection's entry in
/// the catalog.
class AttributeDictionary {
 public:
  AttributeDictionary();
  ~AttributeDictionary();

  /// The path that is `key` below `parent`, made if need be.
  PathId AddPath(PathId parent, std::string_view key);
  std::optional<PathId> FindPath(PathId parent, std::string_view key) const;
  /// The path with that name (document_path.hpp).
  std::optional<PathId> FindPath(std::string_view name) const;
  AttributeId AddAttribute(PathId path, AttributeType type);
  std::optional<AttributeId> FindAttribute(PathId path, AttributeType type) const;

  // Of what there is. Ids above the counts are not known; they must not be asked for. The first of these
  // take no lock.
  size_t path_count() const;
  size_t attribute_count() const;
  Attribute attribute(AttributeId id) const;
  PathId ParentOf(PathId path) const;
  /// How many keys lead to the path.
  size_t DepthOf(PathId path) const;
  /// The last of the path's keys, "" for the root; the view lives as long as the dictionary.
  std::string_view KeyViewOf(PathId path) const;
  /// The attributes of a path itself, ascending; not those of paths below it.
  std::vector<AttributeId> AttributesOf(PathId path) const;
  /// The attributes of the path and of all paths below it, ascending.
  std::vector<AttributeId> AttributesBelow(PathId path) const;
  std::string KeyOf(PathId path) const;
  /// Keys joined by dots (document_path.hpp); "" for the root.
  std::string NameOf(PathId path) const;
  /// Whether `is_wanted` is true of an attribute of a path below `path`, or of `path` itself if it is
  /// included. It must not call the dictionary.
  bool AnyBelow(PathId path, bool includes_path, const std::function<bool(AttributeId)>& is_wanted) const;
  /// All paths but the root with attributes of their own or of paths below, in that order; objects before
  /// their members.
  std::vector<PathId> AllPaths() const;

  /// A number that was never given before, above 0: for versions of what documents have.
  uint64_t NextEpoch() { return epoch_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// Writes what was added after the first `known_paths` and `known_attributes`.
  void Write(size_t known_paths, size_t known_attributes, ByteWriter& writer) const;
  /// Adds what was written; what is known already must be the same. Throws Error(kIo, XX001).
  void Read(ByteReader& reader);

 private:
  struct Content;
  std::unique_ptr<Content> content_;
  std::atomic<uint64_t> epoch_{0};
};

}  // namespace scaup

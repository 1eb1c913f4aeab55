// The attributes of the documents that one transaction sees.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"
#include "document/attribute_census.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// The attributes that the documents visible to a transaction have, including its own changes. Changes that
/// other transactions have not committed, and attributes that no document has any more, are not visible. One
/// thread at a time.
class VisibleAttributes {
 public:
  /// Makes all attributes of the dictionary visible, for documents that belong to no collection.
  explicit VisibleAttributes(std::shared_ptr<AttributeDictionary> dictionary)
      : dictionary_(std::move(dictionary)), sees_all_(true) {}
  /// `own` are the transaction's own changes, borrowed; null if there are none.
  VisibleAttributes(std::shared_ptr<AttributeDictionary> dictionary,
                    std::shared_ptr<const AttributeCensus> census, const AttributeChanges* own)
      : dictionary_(std::move(dictionary)), census_(std::move(census)), own_(own) {}

  const std::shared_ptr<AttributeDictionary>& dictionary() const { return dictionary_; }
  /// A number that identifies the set of visible attributes, expected ones excluded.
  uint64_t epoch() const {
    if (own_ != nullptr && own_->epoch() != 0) return own_->epoch();
    return census_ ? census_->epoch() : 0;
  }
  /// Makes an attribute visible that documents will get by the statement itself.
  void Expect(AttributeId id) { expected_.insert(id); }

  /// The paths that the caller has asked about. The answers depend on whether attributes at these paths or
  /// below appear or disappear; the root path stands for any attribute.
  const std::set<PathId>& asked() const { return asked_; }
  /// Records that an answer depends on a path that the dictionary does not know.
  void AskAboutUnknown() const { Ask(kRootPath); }

  bool Has(AttributeId id) const { return sees_all_ || Documents(id) > 0 || expected_.count(id) != 0; }
  bool Has(PathId path, AttributeType type) const;
  /// The visible attributes of the path itself, ascending, without those of paths below it.
  std::vector<AttributeId> AttributesOf(PathId path) const;
  /// The visible attributes of the path and of all paths below it, ascending.
  std::vector<AttributeId> AttributesBelow(PathId path) const;
  /// Whether the path, or one below it, has visible attributes.
  bool HasBelow(PathId path) const;
  /// Whether documents have members of an object at the path.
  bool HasMembers(PathId path) const;
  /// The visible attributes in the order of first occurrence.
  std::vector<AttributeId> InOrder() const;
  /// The paths that have visible attributes of their own, in the order of first occurrence.
  std::vector<PathId> Paths() const;

 private:
  int64_t Documents(AttributeId id) const {
    return static_cast<int64_t>((*census_)[id].documents) + (own_ != nullptr ? (*own_)[id].documents : 0);
  }
  void Ask(PathId path) const;
  /// The sort key for the order of first occurrence.
  std::pair<int, uint64_t> OrderOf(AttributeId id) const;

  std::shared_ptr<AttributeDictionary> dictionary_;
  std::shared_ptr<const AttributeCensus> census_;
  const AttributeChanges* own_ = nullptr;
  std::set<AttributeId> expected_;
  mutable std::set<PathId> asked_;
  bool sees_all_ = false;
};

/// The type of a path where no other type is requested: that of all its values, or JSON if they differ.
/// Numbers of several types become the type that holds all of them exactly, BIGINT, HUGEINT or DOUBLE, or
/// otherwise JSON. VARCHAR if there are only nulls.
LogicalType DefaultTypeOf(const VisibleAttributes& attributes, PathId path);

}  // namespace scaup

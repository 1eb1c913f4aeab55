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

/// The part of a collection's dictionary that documents have which a transaction sees, its own among them.
/// Whatever somebody else has not committed, and what no document has any more, is not visible. One thread.
class VisibleAttributes {
 public:
  /// All that the dictionary knows: for documents that belong to no collection.
  explicit VisibleAttributes(std::shared_ptr<AttributeDictionary> dictionary)
      : dictionary_(std::move(dictionary)), sees_all_(true) {}
  /// `own`: what the transaction itself has changed, borrowed; null if it has changed nothing.
  VisibleAttributes(std::shared_ptr<AttributeDictionary> dictionary,
                    std::shared_ptr<const AttributeCensus> census, const AttributeChanges* own)
      : dictionary_(std::move(dictionary)), census_(std::move(census)), own_(own) {}

  const std::shared_ptr<AttributeDictionary>& dictionary() const { return dictionary_; }
  /// Equal numbers: the same attributes are visible, apart from expected ones.
  uint64_t epoch() const {
    if (own_ != nullptr && own_->epoch() != 0) return own_->epoch();
    return census_ ? census_->epoch() : 0;
  }
  /// Makes an attribute visible that documents get by the statement itself.
  void Expect(AttributeId id) { expected_.insert(id); }

  /// The paths that somebody asked about, here or below them: what he made of the answers depends on whether
  /// such attributes come or go. The root path: on any.
  const std::set<PathId>& asked() const { return asked_; }
  /// Notes that an answer depends on a path that the dictionary does not know.
  void AskAboutUnknown() const { Ask(kRootPath); }

  bool Has(AttributeId id) const { return sees_all_ || Documents(id) > 0 || expected_.count(id) != 0; }
  bool Has(PathId path, AttributeType type) const;
  /// Visible attributes of a path itself, ascending; not those of paths below it.
  std::vector<AttributeId> AttributesOf(PathId path) const;
  /// Visible attributes of the path and of all paths below it, ascending.
  std::vector<AttributeId> AttributesBelow(PathId path) const;
  /// Whether the path, or one below it, has any.
  bool HasBelow(PathId path) const;
  /// Whether documents have members of an object at the path.
  bool HasMembers(PathId path) const;
  /// Visible attributes, in the order in which they were first met.
  std::vector<AttributeId> InOrder() const;
  /// Paths with attributes of their own, in the order in which they were first met.
  std::vector<PathId> Paths() const;

 private:
  int64_t Documents(AttributeId id) const {
    return static_cast<int64_t>((*census_)[id].documents) + (own_ != nullptr ? (*own_)[id].documents : 0);
  }
  void Ask(PathId path) const;
  /// Orders attributes by when they were first met.
  std::pair<int, uint64_t> OrderOf(AttributeId id) const;

  std::shared_ptr<AttributeDictionary> dictionary_;
  std::shared_ptr<const AttributeCensus> census_;
  const AttributeChanges* own_ = nullptr;
  std::set<AttributeId> expected_;
  mutable std::set<PathId> asked_;
  bool sees_all_ = false;
};

/// The type that a path has where nothing asks for another: that of all of its values, or JSON where these
/// differ. Numbers of several types become the one
/// that holds them all exactly, BIGINT, HUGEINT or DOUBLE, or else JSON. VARCHAR where there are only nulls.
LogicalType DefaultTypeOf(const VisibleAttributes& attributes, PathId path);

}  // namespace scaup

// What a transaction knows of the attributes of a collection's documents.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "document/attribute/attribute_dictionary.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class Table;

/// Whether attributes came or went at some paths, or below them: names in the transaction's statements then
/// mean something else, or have other types. Any in the collection, where the root is among them.
class AttributeReadPredicate final : public ReadPredicate {
 public:
  AttributeReadPredicate(std::shared_ptr<const Table> collection,
                         std::shared_ptr<const std::set<PathId>> paths);
  bool IsHitBy(const ChangeSet& changes) const override;
  std::string Describe() const override { return "keys and types of documents of a collection"; }

 private:
  std::shared_ptr<const Table> collection_;
  std::shared_ptr<const std::set<PathId>> paths_;
};

}  // namespace scaup

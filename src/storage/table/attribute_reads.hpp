// AttributeReadPredicate: what a transaction knows about the attributes of a collection's documents.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "document/attribute/attribute_dictionary.hpp"
#include "transaction/transaction.hpp"

namespace scaup {

class Table;

/// Is hit if attributes appeared or vanished at some paths or below them, since names in the transaction's
/// statements may then mean something else or have other types. If the root is among the paths, any attribute
/// of the collection counts.
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

// KeyReadPredicate: keys that a transaction found free, for precision locking.
#pragma once

#include <memory>
#include <string>

#include "storage/table/table.hpp"
#include "storage/table_index/key_reads.hpp"

namespace scaup {

/// Is hit if rows with one of the keys appeared or vanished.
class KeyReadPredicate final : public ReadPredicate {
 public:
  KeyReadPredicate(std::shared_ptr<const Table> table, std::string table_name,
                   std::shared_ptr<const KeyReads> reads);
  bool IsHitBy(const ChangeSet& changes) const override;
  std::string Describe() const override { return "keys of table \"" + table_name_ + "\""; }

 private:
  std::shared_ptr<const Table> table_;
  std::string table_name_;
  std::shared_ptr<const KeyReads> reads_;
};

}  // namespace scaup

// Makes a session's temporary schema visible to its transactions.
#include "catalog/temporary_schema.hpp"

namespace scaup {

namespace {
// Its address is the key of the schema among the locals of a transaction.
constexpr char kKey = 0;
}  // namespace

void TemporarySchema::Enter(Transaction& transaction) {
  is_used_ = true;
  if (Of(transaction) == nullptr) transaction.SetLocal(&kKey, shared_from_this());
}

const TemporarySchema* TemporarySchema::Of(const Transaction& transaction) {
  return static_cast<const TemporarySchema*>(transaction.FindLocal(&kKey));
}

}  // namespace scaup

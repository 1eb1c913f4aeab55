// Clients by their number.
#include "client_registry.hpp"

#include "random_bytes.hpp"

namespace scaup::server {

CancelKey ClientRegistry::Add(Connection& connection) {
  CancelKey key;
  FillRandom(&key.secret, sizeof(key.secret));
  const QueryResult number = connection.Query("SELECT pg_backend_pid()");
  key.process = static_cast<uint32_t>(number.GetValue(0, 0).GetInteger());
  const std::lock_guard lock(mutex_);
  clients_[key.process] = {key.secret, &connection};
  return key;
}

void ClientRegistry::Remove(const CancelKey& key) noexcept {
  const std::lock_guard lock(mutex_);
  clients_.erase(key.process);
}

void ClientRegistry::Cancel(const CancelKey& key) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(key.process);
  if (found != clients_.end() && found->second.secret == key.secret) found->second.connection->Interrupt();
}

void ClientRegistry::InterruptAll() noexcept {
  const std::lock_guard lock(mutex_);
  for (auto& [process, client] : clients_) client.connection->Interrupt();
}

}  // namespace scaup::server

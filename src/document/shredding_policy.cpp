// Derives the shredding policy from the settings.
#include "document/shredding_policy.hpp"

#include "common/settings/settings.hpp"

namespace scaup {

ShreddingPolicy ShreddingPolicy::Of(const Settings& settings) {
  return {settings.document_density, static_cast<uint32_t>(settings.document_cardinality)};
}

}  // namespace scaup

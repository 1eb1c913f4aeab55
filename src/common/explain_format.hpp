// How EXPLAIN writes a plan.
#pragma once

#include <cstdint>

namespace scaup {

enum class ExplainFormat : uint8_t {
  kText,  ///< a tree for people, a row per line
  kJson,  ///< one row with a JSON document for tools
};

}  // namespace scaup

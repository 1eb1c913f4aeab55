// The interface by which functions such as nextval access sequences; implemented by src/main.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scaup {

/// The name of a sequence in SQL text; unquoted parts are folded to lower case.
struct SequenceName {
  std::string schema;  ///< "" if not given
  std::string name;
  std::string database = {};  ///< "" if not given
};
/// Parses s, schema.s, database.schema.s or "Schema"."S". Throws Error(kSyntax, 42602).
SequenceName ParseSequenceName(std::string_view text);

/// The sequences that one statement sees. Borrowed for its duration; thread-safe. All functions throw
/// Error(kCatalog, 42P01).
class SequenceAccess {
 public:
  virtual ~SequenceAccess() = default;
  /// Advances the sequence. Throws 2200H at its end.
  virtual int64_t NextValue(const SequenceName& sequence) = 0;
  /// The last value that NextValue returned in this session. Throws 55000 if there is none.
  virtual int64_t CurrentValue(const SequenceName& sequence) = 0;
  /// The last value of any sequence.
  virtual int64_t LastValue() = 0;
  /// Sets the value; with is_called, the next value is the one after `value`. Throws 22003 if it is out of
  /// bounds.
  virtual void SetValue(const SequenceName& sequence, int64_t value, bool is_called) = 0;
};

}  // namespace scaup

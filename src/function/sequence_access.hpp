// How functions reach sequences: nextval and its kin; implemented where the catalog is known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scaup {

/// A sequence as SQL text names it: unquoted parts are folded to lower case.
struct SequenceName {
  std::string schema;  ///< "" if not given
  std::string name;
};
/// Parses s, schema.s or "Schema"."S". Throws Error(kSyntax, 42602).
SequenceName ParseSequenceName(std::string_view text);

/// The sequences that one statement sees. Borrowed for its time; any thread. All throw Error(kCatalog,
/// 42P01).
class SequenceAccess {
 public:
  virtual ~SequenceAccess() = default;
  /// Throws 2200H at the sequence's end.
  virtual int64_t NextValue(const SequenceName& sequence) = 0;
  /// The value that NextValue gave last in this session. Throws 55000 if it never did.
  virtual int64_t CurrentValue(const SequenceName& sequence) = 0;
  /// The last value of whatever sequence.
  virtual int64_t LastValue() = 0;
  /// With is_called the next value is the one after `value`. Throws 22003 out of bounds.
  virtual void SetValue(const SequenceName& sequence, int64_t value, bool is_called) = 0;
};

}  // namespace scaup

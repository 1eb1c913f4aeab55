// Functions that users define: SQL functions and macros.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog_entry.hpp"

namespace scaup {

/// The language of a function's body. The numbers are in files.
enum class FunctionLanguage : uint8_t {
  kSql = 0,     ///< a query over arguments whose types are declared
  kMacro = 1,   ///< a query over arguments of any types, which each call decides
  kHosted = 2,  ///< a text in a language that the program hosts
};
/// IMMUTABLE, STABLE or VOLATILE, as declared. The numbers are in files.
enum class FunctionVolatility : uint8_t { kVolatile = 0, kStable = 1, kImmutable = 2 };
/// The numbers are in files.
enum class FunctionResult : uint8_t {
  kValue = 0,      ///< one value: the first row of the query
  kRows = 1,       ///< the rows of the query, for FROM
  kAggregate = 2,  ///< a value for each group, of a function in a hosted language
  kTrigger = 3,    ///< statements that triggers run; no call can name it
};
/// The numbers are in files.
enum class ArgumentMode : uint8_t {
  kIn = 0,
  kTable = 1,  ///< a column of RETURNS TABLE
  kRows =
      2,  ///< the rows of a query, for functions in hosted languages; the type is a struct of their columns
};

struct FunctionArgument {
  std::string name;  ///< "" if it has none
  LogicalType type;  ///< kNull for an argument of a macro that may have any type
  ArgumentMode mode = ArgumentMode::kIn;
  std::string default_text = {};  ///< SQL of the default; "" if there is none
};

/// A function. Functions have a name space of their own in their schema, in which the types of the arguments
/// belong to the name: see signature().
struct FunctionEntry final : CatalogEntry {
  static constexpr CatalogEntryKind kEntryKind = CatalogEntryKind::kFunction;
  FunctionEntry(std::string schema_in, std::string name_in)
      : CatalogEntry(kEntryKind, std::move(name_in)), schema(std::move(schema_in)) {}
  std::string schema;
  FunctionLanguage language = FunctionLanguage::kSql;
  std::vector<FunctionArgument> arguments;  ///< those that calls give first
  FunctionResult result = FunctionResult::kValue;
  /// The type of the value, or of the only column of the rows; kNull for macros and RETURNS TABLE.
  LogicalType result_type = TypeId::kNull;
  FunctionVolatility volatility = FunctionVolatility::kVolatile;
  bool is_strict = false;  ///< a NULL argument gives NULL, or no rows
  std::string body;        ///< SQL of the query, or the text in the language of the host
  // Fields of kHosted:
  std::string host_language = {};  ///< in lower case
  bool is_mapped = false;          ///< LANGUAGE ... MAP: called for some rows at a time
  uint64_t batch_rows = 0;         ///< SET batch_rows: the most rows of a call; 0: as many as usual

  bool is_hosted() const { return language == FunctionLanguage::kHosted; }
  bool is_aggregate() const { return result == FunctionResult::kAggregate; }
  bool is_trigger() const { return result == FunctionResult::kTrigger; }
  bool is_macro() const { return language == FunctionLanguage::kMacro; }
  /// Returns the arguments that calls give.
  std::vector<FunctionArgument> inputs() const;
  /// Returns the columns of RETURNS TABLE.
  std::vector<FunctionArgument> columns() const;
  /// Returns the name with the types of the arguments, as in "f(integer, text)".
  std::string signature() const;
};
using FunctionEntryRef = std::shared_ptr<const FunctionEntry>;

/// Returns the type of an argument, as the user would write it: TABLE (...) for rows, "any" for any type.
std::string ArgumentTypeText(const FunctionArgument& argument);

/// The beginning of the body of a macro that is an expression.
inline constexpr std::string_view kMacroPrefix = "SELECT ";

/// Returns the key of a function among those of its schema, which has the types in full.
std::string FunctionKey(const FunctionEntry& function);

}  // namespace scaup

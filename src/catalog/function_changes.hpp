// Finds, creates, changes and drops the functions that users define.
#pragma once

#include <string_view>
#include <vector>

#include "catalog/function_entry.hpp"
#include "common/byte_stream.hpp"

namespace scaup {

class Catalog;
class Transaction;

/// Returns the overloads of a function. Without a schema, those of the temporary schema, if it has any, or of
/// the default schema.
std::vector<FunctionEntryRef> FunctionsNamed(const Catalog& catalog, const Transaction& transaction,
                                             std::string_view schema, std::string_view name);
/// Returns all functions, one schema after the other.
std::vector<FunctionEntryRef> AllFunctions(const Catalog& catalog, const Transaction& transaction);
/// Returns the function of that key; null if there is none.
FunctionEntryRef FindFunction(const Catalog& catalog, const Transaction& transaction, std::string_view schema,
                              std::string_view key);

// Each is one change in a transaction, with its record for the log. The catalog does not understand texts, so
// the caller looks after those that call the function.

/// Creates a function; 42723 if there is one of its name and types.
void CreateFunction(Catalog& catalog, Transaction& transaction, const FunctionEntryRef& function);
/// Replaces a function, perhaps under another name or schema.
void ReplaceFunction(Catalog& catalog, Transaction& transaction, const FunctionEntry& old,
                     const FunctionEntryRef& function);
void DropFunction(Catalog& catalog, Transaction& transaction, const FunctionEntry& function);

void WriteFunctionDefinition(const FunctionEntry& function, ByteWriter& writer);
/// Throws Error(XX001) for bytes that are no definition.
FunctionEntryRef ReadFunctionDefinition(ByteReader& reader);

}  // namespace scaup

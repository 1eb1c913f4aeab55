// Options: texts by name, which the interface also sets and gets as numbers and bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "edge.hpp"
#include "scaup/result.hpp"

namespace scaup::adbc {

/// Returns whether an option that is "true" or "false" is true. Throws StatusError(INVALID_ARGUMENT) for
/// other values.
bool ToBoolean(std::string_view key, std::string_view value);
const char* BooleanText(bool value);
/// Throw StatusError(NOT_FOUND) for a text that is no number.
int64_t ToInteger(std::string_view key, const std::string& value);
double ToDouble(std::string_view key, const std::string& value);
/// Returns the shortest text of a number, without a fraction if it has none.
std::string NumberText(double value);

/// Copies the text of an option, with its terminating zero, if it fits into `*length` bytes at `value`. Sets
/// `*length` to the bytes that it takes.
void CopyText(const std::string& text, char* value, size_t* length);
/// Copies the bytes of an option in the same way, without a zero.
void CopyBytes(const std::string& bytes, uint8_t* value, size_t* length);

/// Returns the name of the setting that an option is about: "threads" for "scaup.threads" and for "threads".
/// Throws StatusError(NOT_IMPLEMENTED) for a name that no setting can have.
std::string SettingOf(std::string_view key);

// Options of Arrow arrays: "scaup.arrow.string_views", "scaup.arrow.dictionaries", "scaup.arrow.extensions"
// and "scaup.arrow.batch_rows". Databases, connections and statements have them; what is made later inherits
// them.

/// Sets an option of arrays. Returns false if `key` is none.
bool SetArrowOption(std::string_view key, const std::string& value, ArrowOptions& options);
/// Copies the value of an option of arrays to `value`. Returns false if `key` is none.
bool GetArrowOption(std::string_view key, const ArrowOptions& options, std::string& value);

}  // namespace scaup::adbc

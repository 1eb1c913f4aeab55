// Parses option values of file readers and writers: texts, as in COPY, or values of any type.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/text/text_file.hpp"
#include "scaup/value.hpp"

namespace scaup {

// All functions throw Error(kBinder, 22023), naming the option, for an invalid value.

[[noreturn]] void ThrowBadOption(const std::string& name, const std::string& wanted, const std::string& got);
std::string TextOption(const std::string& name, const Value& value);
/// NULL stands for an option without a value: true.
bool BooleanOption(const std::string& name, const Value& value);
int64_t IntegerOption(const std::string& name, const Value& value);
/// Accepts auto, none, gzip, gz, zstd, zst, bzip2, bz2.
TextCompression CompressionOption(const std::string& name, const Value& value);
/// Accepts 1 byte to 1 GiB.
uint64_t BufferSizeOption(const std::string& name, const Value& value);
/// A number of bytes, with a unit if the user likes: "64MB".
uint64_t SizeOption(const std::string& name, const Value& value);
/// Names separated by commas, in double quotes where they need them.
std::vector<std::string> NameListOption(const std::string& name, std::string_view text);
/// Accepts only utf8, in which files are written.
void CheckEncodingOption(const std::string& name, const Value& value);

std::string LowerCase(std::string_view text);
/// Throws Error(kBinder, 42601) with the most similar known name as a hint. `format`: "CSV".
[[noreturn]] void ThrowUnknownOption(std::string_view format, const std::string& name,
                                     std::span<const char* const> known);

}  // namespace scaup

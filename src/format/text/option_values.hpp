// Values of the options of readers and writers of files: text as COPY has it, or of any type.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "format/text/text_file.hpp"
#include "scaup/value.hpp"

namespace scaup {

// All throw Error(kBinder, 22023) for a value that does not fit, naming the option.

[[noreturn]] void ThrowBadOption(const std::string& name, const std::string& wanted, const std::string& got);
std::string TextOption(const std::string& name, const Value& value);
/// NULL stands for an option written without a value: true.
bool BooleanOption(const std::string& name, const Value& value);
int64_t IntegerOption(const std::string& name, const Value& value);
/// auto, none, gzip, gz
TextCompression CompressionOption(const std::string& name, const Value& value);
/// Between 1 byte and 1 GiB.
uint64_t BufferSizeOption(const std::string& name, const Value& value);
/// Accepts utf8 alone.
void CheckEncodingOption(const std::string& name, const Value& value);

std::string LowerCase(std::string_view text);
/// Throws Error(kBinder, 42601), with the most similar of the names that there are. `format`: "CSV".
[[noreturn]] void ThrowUnknownOption(std::string_view format, const std::string& name,
                                     std::span<const char* const> known);

}  // namespace scaup

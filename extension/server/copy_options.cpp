// Reads the options of COPY.
#include "copy_options.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "scaup/error.hpp"

namespace scaup::server {

namespace {

using Option = CopyStream::Option;

[[noreturn]] void Refuse(const Option& option, const char* sqlstate, const std::string& what) {
  throw Error(ErrorKind::kSyntax, sqlstate, "COPY " + option.name + " " + what, option.position);
}

bool IsOn(const Option& option) {
  if (!option.has_value || option.value == "true" || option.value == "on" || option.value == "1") return true;
  if (option.value == "false" || option.value == "off" || option.value == "0") return false;
  Refuse(option, "42601", "requires a Boolean value");
}

char SingleByte(const Option& option) {
  if (option.value.size() != 1 || option.value[0] == '\n' || option.value[0] == '\r')
    Refuse(option, "0A000", "must be a single one-byte character");
  return option.value[0];
}

std::vector<std::string> Columns(const Option& option) {
  return option.values.empty() ? std::vector<std::string>{option.value} : option.values;
}

void ReadForm(const Option& option, CopyOptions& options) {
  if (option.value == "csv") {
    options.form = CopyForm::kCsv;
    options.delimiter = ',';
    options.null.clear();
  } else if (option.value == "binary") {
    options.form = CopyForm::kBinary;
  } else if (option.value == "arrow") {
    options.form = CopyForm::kArrow;
  } else if (option.value != "text") {
    Refuse(option, "22023", "\"" + option.value + "\" not recognized: there are text, csv, binary and arrow");
  }
}

void ReadArrowOption(const Option& option, CopyOptions& options) {
  constexpr std::pair<const char*, CopyCompression> kCompressions[] = {{"auto", CopyCompression::kAutomatic},
                                                                       {"none", CopyCompression::kNone},
                                                                       {"lz4", CopyCompression::kLz4},
                                                                       {"zstd", CopyCompression::kZstd}};
  if (option.name == "compression") {
    for (const auto& [name, compression] : kCompressions) {
      if (option.value != name) continue;
      options.compression = compression;
      return;
    }
    Refuse(option, "22023", "must be auto, none, lz4 or zstd");
  }
  if (option.name != "chunk_bytes") Refuse(option, "42601", "cannot be given with FORMAT arrow");
  constexpr size_t kMostChunkBytes = size_t{1} << 28;
  const char* const end = option.value.data() + option.value.size();
  const auto read = std::from_chars(option.value.data(), end, options.chunk_bytes);
  if (read.ec != std::errc() || read.ptr != end || options.chunk_bytes < 1 ||
      options.chunk_bytes > kMostChunkBytes)
    Refuse(option, "22023", "must be a number of bytes from 1 to " + std::to_string(kMostChunkBytes));
}

void ReadOption(const Option& option, CopyOptions& options) {
  const bool is_csv = options.form == CopyForm::kCsv;
  const auto want_csv = [&] {
    if (!is_csv) Refuse(option, "0A000", "available only in CSV mode");
  };
  if (option.name == "format" || option.name == "freeze") return;
  if (option.name == "encoding") {
    if (option.value != "utf8" && option.value != "UTF8" && option.value != "utf-8" &&
        option.value != "UTF-8")
      Refuse(option, "0A000", "must be UTF8");
    return;
  }
  if (options.form == CopyForm::kArrow) return ReadArrowOption(option, options);
  if (options.form == CopyForm::kBinary) Refuse(option, "42601", "cannot be given in BINARY mode");
  if (option.name == "delimiter") {
    options.delimiter = SingleByte(option);
  } else if (option.name == "null") {
    options.null = option.value;
  } else if (option.name == "header") {
    options.checks_header = option.value == "match";
    options.has_header = options.checks_header || IsOn(option);
  } else if (option.name == "quote") {
    want_csv();
    options.quote = SingleByte(option);
  } else if (option.name == "escape") {
    want_csv();
    options.escape = SingleByte(option);
  } else if (option.name == "force_quote") {
    want_csv();
    options.quotes_all = option.value == "*" || option.values == std::vector<std::string>{"*"};
    options.quoted = Columns(option);
  } else if (option.name == "force_not_null") {
    want_csv();
    options.not_null = Columns(option);
  } else if (option.name == "force_null") {
    want_csv();
    options.null_too = Columns(option);
  } else {
    Refuse(option, "42601", "is no option");
  }
}

}  // namespace

CopyOptions ReadCopyOptions(const CopyStream& copy) {
  CopyOptions options;
  const auto find = [&](const char* name) {
    return std::find_if(copy.options.begin(), copy.options.end(),
                        [&](const Option& option) { return option.name == name; });
  };
  if (const auto form = find("format"); form != copy.options.end()) ReadForm(*form, options);
  for (const Option& option : copy.options) ReadOption(option, options);
  if (find("escape") == copy.options.end()) options.escape = options.quote;
  if (options.form == CopyForm::kCsv && options.delimiter == options.quote)
    Refuse(*find("quote"), "22023", "must be different from the delimiter");
  return options;
}

std::string QuotedName(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted.push_back(c);
    quoted.push_back(c);
  }
  return quoted + "\"";
}

std::string QuotedTable(const CopyStream& copy) {
  return (copy.schema.empty() ? "" : QuotedName(copy.schema) + ".") + QuotedName(copy.table);
}

}  // namespace scaup::server

// The options of COPY from and to a client.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scaup/statement_info.hpp"

namespace scaup::server {

enum class CopyForm : uint8_t { kText, kCsv, kBinary, kArrow };
/// The compression of COPY TO STDOUT (FORMAT arrow). Automatic: none on one machine, LZ4 over a network.
enum class CopyCompression : uint8_t { kAutomatic, kNone, kLz4, kZstd };

/// Checked options, with PostgreSQL's defaults.
struct CopyOptions {
  CopyForm form = CopyForm::kText;
  char delimiter = '\t';
  char quote = '"';
  char escape = '"';
  std::string null = "\\N";
  bool has_header = false;
  bool checks_header = false;  ///< HEADER match
  bool quotes_all = false;
  CopyCompression compression = CopyCompression::kAutomatic;
  size_t chunk_bytes = size_t{1} << 20;  ///< CHUNK_BYTES: about how many bytes of columns come at once
  std::vector<std::string> quoted;       ///< FORCE_QUOTE
  std::vector<std::string> not_null;     ///< FORCE_NOT_NULL
  std::vector<std::string> null_too;     ///< FORCE_NULL: quoted, too
};

/// Throws Error(kSyntax, 42601), (22023) or (0A000) for options that do not fit.
CopyOptions ReadCopyOptions(const CopyStream& copy);
/// Returns a name in double quotes.
std::string QuotedName(std::string_view name);
/// Returns the table of a COPY, for SQL.
std::string QuotedTable(const CopyStream& copy);

}  // namespace scaup::server

// The schema of a Parquet file that is written.
#pragma once

#include <string>
#include <vector>

#include "format/parquet/parquet_metadata.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// The elements for columns of these names and types. Names that occur several times get a number. Throws
/// Error(kNotSupported) if there are no columns.
std::vector<ParquetSchemaElement> MakeParquetSchema(const std::vector<std::string>& names,
                                                    const std::vector<LogicalType>& types);

}  // namespace scaup

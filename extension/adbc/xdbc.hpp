// XDBC: types of columns as ODBC and JDBC number them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace scaup::adbc {

/// The numbers of a type. nullopt where ODBC has none.
struct XdbcType {
  std::optional<int16_t> data_type;
  std::optional<int16_t> sql_data_type;  ///< 9 for dates and times
  std::optional<int16_t> datetime_sub;   ///< 1: date, 2: time, 3: timestamp
};

/// Returns the numbers of a SQL type, such as "DECIMAL(10,2)". Enums are texts; lists and structs have no
/// numbers.
XdbcType XdbcTypeOf(std::string_view sql_type);

}  // namespace scaup::adbc

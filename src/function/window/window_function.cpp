// The table of window functions.
#include "function/window/window_function.hpp"

#include <algorithm>

namespace scaup {

namespace {

using Kind = WindowFunctionKind;

constexpr WindowFunction kFunctions[] = {
    {"cume_dist", Kind::kCumeDist, 0, 0, TypeId::kDouble, "",
     "The part of the partition's rows that come before the row or are its peers.",
     "cume_dist() OVER (ORDER BY x)"},
    {"dense_rank", Kind::kDenseRank, 0, 0, TypeId::kBigInt, "",
     "The number of the row's group of peers, counted from 1.", "dense_rank() OVER (ORDER BY x)"},
    {"first_value", Kind::kFirstValue, 1, 1, TypeId::kNull, "any", "The x of the frame's first row.",
     "first_value(x) OVER (ORDER BY y)"},
    {"lag", Kind::kLag, 1, 3, TypeId::kNull, "any, [INTEGER], [any]",
     "The x of the row that is n (1) rows before this one in its partition, or a default.",
     "lag(x, 2, 0) OVER (ORDER BY y)"},
    {"last_value", Kind::kLastValue, 1, 1, TypeId::kNull, "any", "The x of the frame's last row.",
     "last_value(x) OVER (ORDER BY y)"},
    {"lead", Kind::kLead, 1, 3, TypeId::kNull, "any, [INTEGER], [any]",
     "The x of the row that is n (1) rows after this one in its partition, or a default.",
     "lead(x, 2, 0) OVER (ORDER BY y)"},
    {"nth_value", Kind::kNthValue, 2, 2, TypeId::kNull, "any, INTEGER",
     "The x of the frame's nth row, counted from 1; NULL if there are not so many.",
     "nth_value(x, 2) OVER (ORDER BY y)"},
    {"ntile", Kind::kNtile, 1, 1, TypeId::kInteger, "INTEGER",
     "The number, from 1 to n, of the part that the row falls in when its partition is cut into n parts as "
     "equal as possible.",
     "ntile(4) OVER (ORDER BY x)"},
    {"percent_rank", Kind::kPercentRank, 0, 0, TypeId::kDouble, "",
     "(rank - 1) / (rows of the partition - 1), from 0 to 1.", "percent_rank() OVER (ORDER BY x)"},
    {"rank", Kind::kRank, 0, 0, TypeId::kBigInt, "",
     "The row number of the row's first peer: with gaps after peers.", "rank() OVER (ORDER BY x)"},
    {"row_number", Kind::kRowNumber, 0, 0, TypeId::kBigInt, "",
     "The number of the row in its partition, counted from 1.", "row_number() OVER (ORDER BY x)"},
};

}  // namespace

std::span<const WindowFunction> BuiltinWindowFunctions() { return kFunctions; }

const WindowFunction* FindWindowFunction(std::string_view name) {
  const auto found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                  [&](const WindowFunction& function) { return name == function.name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

}  // namespace scaup

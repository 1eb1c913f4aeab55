// Rows of blocks and ranges of rows answer as lists of numbers do.
#include "storage/version/row_ranges.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "../../vector/random_values.hpp"

namespace scaup {

using namespace test;

namespace {

std::vector<sel_t> RandomBlockRows(Random& random) {
  std::vector<sel_t> rows;
  const sel_t begin = static_cast<sel_t>(Below(random, 1024)),
              end = begin + 1 + static_cast<sel_t>(Below(random, 1024 - begin));
  const size_t kept = 1 + Below(random, 4);
  for (sel_t row = begin; row < end; row++)
    if (kept == 1 || Below(random, kept) == 0) rows.push_back(row);
  return rows;
}

}  // namespace

TEST_CASE("Rows of a block are those of the list, consecutive ones without memory", "[storage][versions]") {
  Random random(5);
  for (int round = 0; round < 300; round++) {
    const std::vector<sel_t> list = RandomBlockRows(random), others = RandomBlockRows(random);
    const BlockRows rows(list);
    REQUIRE(rows.size() == list.size());
    REQUIRE(std::vector<sel_t>(list) == [&] {
      std::vector<sel_t> visited;
      for (const sel_t row : rows) visited.push_back(row);
      return visited;
    }());
    const bool is_consecutive = list.empty() || list.back() - list.front() + 1 == list.size();
    REQUIRE((rows.size_bytes() == 0) == is_consecutive);
    std::vector<sel_t> common;
    std::set_intersection(list.begin(), list.end(), others.begin(), others.end(), std::back_inserter(common));
    REQUIRE(rows.Meets(BlockRows(others)) == !common.empty());
    for (int i = 0; i < 20; i++) {
      const auto row = static_cast<sel_t>(Below(random, 1024));
      const auto place = std::lower_bound(list.begin(), list.end(), row);
      REQUIRE(rows.LowerBound(row) == static_cast<size_t>(place - list.begin()));
      REQUIRE(rows.Contains(row) == (place != list.end() && *place == row));
    }
  }
}

TEST_CASE("Ranges of rows join, subtract and find as sets do", "[storage][versions]") {
  Random random(6);
  const auto fill = [&](RowRanges& ranges, std::set<RowNumber>& rows) {
    for (size_t i = Below(random, 6); i != 0; i--) {
      const RowNumber first = 1024 * Below(random, 100);
      const std::vector<sel_t> list = RandomBlockRows(random);
      ranges.Add(first, BlockRows(list));
      for (const sel_t row : list) rows.insert(first + row);
    }
    ranges.Finish();
  };
  const auto rows_of = [](const RowRanges& ranges) {
    std::set<RowNumber> rows;
    ranges.AnyBatch([&](const std::vector<RowNumber>& batch) {
      REQUIRE(std::is_sorted(batch.begin(), batch.end()));
      rows.insert(batch.begin(), batch.end());
      return false;
    });
    return rows;
  };
  for (int round = 0; round < 200; round++) {
    RowRanges ranges, gone;
    std::set<RowNumber> rows, gone_rows;
    fill(ranges, rows);
    fill(gone, gone_rows);
    REQUIRE(rows_of(ranges) == rows);
    ranges.Subtract(gone);
    for (const RowNumber row : gone_rows) rows.erase(row);
    REQUIRE(rows_of(ranges) == rows);
    REQUIRE(ranges.empty() == rows.empty());
    std::set<RowNumber> sought;
    for (size_t i = Below(random, 5); i != 0; i--) sought.insert(Below(random, 102'400));
    const bool is_there =
        std::any_of(sought.begin(), sought.end(), [&](RowNumber row) { return rows.count(row) != 0; });
    REQUIRE(ranges.ContainsAny(std::vector<RowNumber>(sought.begin(), sought.end())) == is_there);
  }
}

TEST_CASE("A long range comes in several batches", "[storage][versions]") {
  RowRanges ranges;
  std::vector<sel_t> all(1024);
  for (size_t i = 0; i < all.size(); i++) all[i] = static_cast<sel_t>(i);
  for (RowNumber first = 0; first < 200 * 1024; first += 1024) ranges.Add(first, BlockRows(all));
  ranges.Finish();
  REQUIRE(ranges.ranges().size() == 1);
  RowNumber next = 0;
  REQUIRE_FALSE(ranges.AnyBatch([&](const std::vector<RowNumber>& batch) {
    for (const RowNumber row : batch) REQUIRE(row == next++);
    return false;
  }));
  REQUIRE(next == 200 * 1024);
  REQUIRE(ranges.AnyBatch([&](const std::vector<RowNumber>& batch) { return batch.back() > 150'000; }));
}

}  // namespace scaup

// Merge ranges: range borders chosen from a sample, and located in each run by binary search.
#include "execution/sort/merge_ranges.hpp"

#include <algorithm>
#include <string>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// The first key of a range.
struct Splitter {
  std::vector<std::byte> key;        // normalized
  std::vector<std::string> strings;  // By key, for string keys.
};

/// Chooses range borders and locates them in the runs.
class RangeDivider {
 public:
  RangeDivider(QueryContext& context, const SortSchema& schema, std::span<SpilledRun> runs,
               const MergeRange& whole)
      : context_(context), schema_(schema), encoder_(schema.encoder), runs_(runs), whole_(whole) {}

  std::vector<MergeRange> Divide(size_t count) {
    ChooseSplitters(count);
    std::vector<std::vector<uint64_t>> places(runs_.size());
    context_.scheduler().RunAll(runs_.size(), [&](size_t run) {
      uint64_t begin = whole_.begins[run];
      for (const Splitter& splitter : splitters_) {
        begin = LowerBound(run, begin, splitter);
        places[run].push_back(begin);
      }
      places[run].push_back(whole_.ends[run]);
    });
    std::vector<MergeRange> ranges;
    MergeRange range;
    range.begins = whole_.begins;
    range.least_key = whole_.least_key;
    for (size_t i = 0; i <= splitters_.size(); i++) {
      range.ends.clear();
      for (const auto& places_of_run : places) range.ends.push_back(places_of_run[i]);
      range.greatest_key = i == splitters_.size() ? whole_.greatest_key : splitters_[i].key;
      if (range.row_count() != 0) ranges.push_back(range);
      range.begins = range.ends;
      range.least_key = range.greatest_key;
    }
    return ranges;
  }

 private:
  /// The first row of a stretch.
  struct Sample {
    const std::byte* key;
    double part;  // The fraction of its run's range before it.
    size_t run;
    size_t stretch;
  };

  std::vector<Sample> Samples() const {
    std::vector<Sample> samples;
    for (size_t run = 0; run < runs_.size(); run++) {
      const uint64_t begin = whole_.begins[run], end = whole_.ends[run];
      if (begin == end) continue;
      for (size_t i = runs_[run].StretchOf(begin) + 1; i <= runs_[run].StretchOf(end - 1); i++) {
        const double part = static_cast<double>(runs_[run].first_rows[i] - begin);
        samples.push_back(
            {runs_[run].FirstKey(i, encoder_.key_bytes()), part / static_cast<double>(end - begin), run, i});
      }
    }
    return samples;
  }

  void ChooseSplitters(size_t count) {
    std::vector<Sample> samples = Samples();
    // The key bytes of strings may be equal. Runs mostly have similar distributions, so the position within
    // the run indicates which key is greater.
    std::sort(samples.begin(), samples.end(), [&](const Sample& a, const Sample& b) {
      const int order = std::memcmp(a.key, b.key, encoder_.comparable_bytes());
      return order != 0 ? order < 0 : a.part < b.part;
    });
    for (size_t i = 1; i < count && !samples.empty(); i++) {
      const Sample& sample = samples[i * samples.size() / count];
      splitters_.push_back(MakeSplitter(sample.run, sample.stretch));
    }
    std::sort(splitters_.begin(), splitters_.end(),
              [&](const Splitter& a, const Splitter& b) { return Compare(a, b) < 0; });
    const auto are_equal = [&](const Splitter& a, const Splitter& b) { return Compare(a, b) == 0; };
    splitters_.erase(std::unique(splitters_.begin(), splitters_.end(), are_equal), splitters_.end());
  }

  Splitter MakeSplitter(size_t run, size_t stretch) const {
    Splitter splitter;
    const std::byte* key = runs_[run].FirstKey(stretch, encoder_.key_bytes());
    splitter.key.assign(key, key + encoder_.key_bytes());
    if (!encoder_.has_strings()) return splitter;
    splitter.strings.resize(schema_.key_columns.size());
    const auto block = FirstBlock(run, stretch);
    for (const size_t column : encoder_.string_columns()) {
      const ValidityWord* validity = block->rows.column(schema_.key_columns[column]).Validity();
      if (validity != nullptr && !TestValid(validity, 0)) continue;
      const StringRef text = block->StringOf(schema_, column, 0);
      splitter.strings[column].assign(text.data(), text.size());
    }
    return splitter;
  }

  std::shared_ptr<const SpilledBlock> FirstBlock(size_t run, size_t stretch) const {
    context_.functions.CheckInterrupt();
    const uint64_t row = runs_[run].first_rows[stretch];
    SpilledRunReader reader(context_.temporary_storage, schema_, runs_[run], row, row + 1, false);
    reader.Next();
    return reader.block();
  }

  int Compare(const Splitter& a, const Splitter& b) const {
    return encoder_.Compare(
        a.key.data(), b.key.data(), [&](size_t key) { return StringRef(a.strings[key]); },
        [&](size_t key) { return StringRef(b.strings[key]); });
  }

  bool IsBefore(const SpilledBlock& block, size_t row, const Splitter& splitter) const {
    return encoder_.Compare(
               block.KeyOf(row, encoder_.key_bytes()), splitter.key.data(),
               [&](size_t key) { return block.StringOf(schema_, key, row); },
               [&](size_t key) { return StringRef(splitter.strings[key]); }) < 0;
  }

  bool BeginsBefore(size_t run, size_t stretch, const Splitter& splitter) const {
    const std::byte* key = runs_[run].FirstKey(stretch, encoder_.key_bytes());
    const int order = std::memcmp(key, splitter.key.data(), encoder_.comparable_bytes());
    if (order != 0 || !encoder_.has_strings()) return order < 0;
    return IsBefore(*FirstBlock(run, stretch), 0, splitter);
  }

  /// Returns the first row of a run, from `begin` on, that does not come before the splitter.
  uint64_t LowerBound(size_t run_index, uint64_t begin, const Splitter& splitter) const {
    SpilledRun& run = runs_[run_index];
    const uint64_t end = whole_.ends[run_index];
    if (begin == end) return end;
    // The last stretch that begins before the splitter contains its position, or ends there.
    size_t stretch = run.StretchOf(begin);
    for (size_t behind = run.StretchOf(end - 1) + 1; stretch + 1 < behind;) {
      const size_t middle = stretch + (behind - stretch) / 2;
      (BeginsBefore(run_index, middle, splitter) ? stretch : behind) = middle;
    }
    const uint64_t stretch_end = std::min(end, run.first_rows[stretch + 1]);
    SpilledRunReader reader(context_.temporary_storage, schema_, run,
                            std::max(begin, run.first_rows[stretch]), stretch_end, false);
    while (reader.Next()) {
      const SpilledBlock& block = *reader.block();
      size_t first = reader.first_in_block(), last = reader.end_in_block();
      if (IsBefore(block, last - 1, splitter)) continue;
      while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (IsBefore(block, middle, splitter)) {
          first = middle + 1;
        } else {
          last = middle;
        }
      }
      return reader.block_row() + first;
    }
    return stretch_end;
  }

  QueryContext& context_;
  const SortSchema& schema_;
  const SortKeyEncoder& encoder_;
  const std::span<SpilledRun> runs_;
  const MergeRange& whole_;
  std::vector<Splitter> splitters_;
};

}  // namespace

MergeRange WholeMerge(const SortSchema& schema, std::span<const SpilledRun> runs) {
  SCAUP_ASSERT(std::ranges::all_of(runs, [](const SpilledRun& run) { return run.row_count() != 0; }));
  MergeRange whole;
  const auto is_before = [&](const std::byte* a, const std::byte* b) {
    return std::memcmp(a, b, schema.encoder.comparable_bytes()) < 0;
  };
  for (const SpilledRun& run : runs) {
    whole.begins.push_back(0);
    whole.ends.push_back(run.row_count());
    const std::byte* first = run.FirstKey(0, schema.encoder.key_bytes());
    if (whole.least_key.empty() || is_before(first, whole.least_key.data()))
      whole.least_key.assign(first, first + schema.encoder.key_bytes());
    if (whole.greatest_key.empty() || is_before(whole.greatest_key.data(), run.last_key.data()))
      whole.greatest_key = run.last_key;
  }
  return whole;
}

std::vector<MergeRange> DivideMerge(QueryContext& context, const SortSchema& schema,
                                    std::span<SpilledRun> runs, const MergeRange& whole, size_t count) {
  if (count <= 1) return {whole};
  return RangeDivider(context, schema, runs, whole).Divide(count);
}

}  // namespace scaup

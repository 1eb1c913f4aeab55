// Reads chunks, and determines where the first row of each begins and its last row ends.
#include "format/csv/csv_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "format/csv/csv_tokenizer.hpp"

namespace scaup {
namespace {

constexpr size_t kReadAheadBytes = 64 * 1024;

}  // namespace

CsvSource::CsvSource(const FunctionContext& context, std::span<const TextFile> files,
                     const CsvDialect& dialect, size_t chunk_bytes)
    : context_(context),
      files_(files.begin(), files.end()),
      dialect_(dialect),
      chunk_bytes_(chunk_bytes),
      read_ahead_(std::clamp<size_t>(chunk_bytes, 64, kReadAheadBytes)) {
  for (const TextFile& file : files_) total_bytes_ += file.size_bytes;
}

void CsvSource::Stop() {
  const MutexLock lock(mutex_);
  stopped_ = true;
}

bool CsvSource::Next(CsvChunk& chunk) {
  std::shared_ptr<OpenFile> file;
  uint64_t cut = 0;
  switch (Claim(chunk, file, cut)) {
    case Claimed::kNothing: return false;
    case Claimed::kWhole: return true;
    case Claimed::kPlain: break;
  }
  try {
    return ReadPlain(*file, cut, chunk);
  } catch (...) {
    const MutexLock lock(mutex_);
    file->failed = true;  // Threads that wait for the state after this chunk must not wait for ever.
    state_known_.NotifyAll();
    throw;
  }
}

CsvSource::Claimed CsvSource::Claim(CsvChunk& chunk, std::shared_ptr<OpenFile>& file, uint64_t& cut) {
  const MutexLock lock(mutex_);
  while (!stopped_ && file_index_ < files_.size()) {
    if (open_ == nullptr) OpenNext();
    chunk = CsvChunk();
    chunk.sequence = next_sequence_;
    chunk.file_index = file_index_;
    if (open_->text != nullptr) {
      if (ReadStream(*open_, chunk)) {
        next_sequence_++;
        return Claimed::kWhole;
      }
    } else if (open_->info.data_begin + open_->next_cut * chunk_bytes_ < open_->info.size_bytes) {
      file = open_;
      cut = open_->next_cut++;
      next_sequence_++;
      NoteProgress();
      return Claimed::kPlain;
    }
    finished_files_bytes_ += files_[file_index_].size_bytes;
    open_ = nullptr;
    file_index_++;
  }
  return Claimed::kNothing;
}

void CsvSource::OpenNext() {
  auto open = std::make_shared<OpenFile>();
  open->info = files_[file_index_];
  open->file = OpenTextFile(context_, open->info);
  open->info.size_bytes = open->file->Size();
  if (open->info.IsStream()) {
    if (open->info.pipe != nullptr) open->info.pipe->Start();
    open->text = OpenText(open->info, *open->file);
    std::vector<char> skipped(open->info.data_begin);  // the header; bounded by what the sniffer read
    open->text->Read(skipped.data(), skipped.size());
    open->leftover_offset = open->info.data_begin;
    open->next_line += static_cast<uint64_t>(std::count(skipped.begin(), skipped.end(), dialect_.newline));
  }
  open_ = std::move(open);
}

void CsvSource::NoteProgress() {
  const uint64_t in_file = open_->text != nullptr
                               ? open_->text->consumed_bytes()
                               : std::min(open_->info.size_bytes, open_->next_cut * chunk_bytes_);
  done_bytes_.store(std::min(total_bytes_, finished_files_bytes_ + in_file), std::memory_order_relaxed);
}

/// Reads more text after the buffer's contents. Returns false if the file ended before `size_bytes` bytes.
bool CsvSource::Fill(OpenFile& file, CsvChunk& chunk, size_t size_bytes) {
  TextBuffer& buffer = *chunk.buffer;
  buffer.Grow(buffer.size + size_bytes);
  char* target = buffer.data() + buffer.size;
  const size_t got = file.text != nullptr
                         ? file.text->Read(target, size_bytes)
                         : file.file->Read(chunk.file_offset + buffer.size, target, size_bytes);
  buffer.size += got;
  return got == size_bytes;
}

bool CsvSource::ReadPlain(OpenFile& file, uint64_t cut_number, CsvChunk& chunk) {
  chunk.file_offset = file.info.data_begin + cut_number * chunk_bytes_;
  chunk.buffer = std::make_shared<TextBuffer>(context_.memory);
  const uint64_t left = file.info.size_bytes - chunk.file_offset;
  // One byte more than expected, to detect the end of the file.
  const bool is_full = Fill(file, chunk, std::min<uint64_t>(chunk_bytes_ + read_ahead_, left + 1));
  const size_t cut = std::min(chunk_bytes_, chunk.buffer->size);
  const std::string_view text(chunk.buffer->data(), cut);
  QuoteState at_begin, at_end;
  if (!ResolveStates(file, cut_number, text, at_begin, at_end)) return false;
  // A row that the previous cut divides belongs to the previous chunk.
  if (at_begin != QuoteState::kRowStart) {
    chunk.begin = FindRowEnd(dialect_, at_begin, text).value_or(cut);
  }
  chunk.end = chunk.begin;
  if (chunk.begin < cut) FindEnd(file, chunk, cut, at_end, !is_full);
  return true;
}

/// Determines the states at the beginning and the end of a chunk; waits until the first is known. Returns
/// false if it will never be.
bool CsvSource::ResolveStates(OpenFile& file, uint64_t cut_number, std::string_view text,
                              QuoteState& at_begin, QuoteState& at_end) {
  ReleasableMutexLock lock(mutex_);
  if (file.state_at_cut.size() > cut_number) {
    at_begin = file.state_at_cut[cut_number];
    lock.Unlock();
    at_end = AdvanceQuoteState(dialect_, at_begin, text);
    lock.Lock();
  } else {
    lock.Unlock();
    // The costly pass over the text, from every possible state, is made before the wait. Afterwards only one
    // step per chunk is serial.
    const QuoteStateMap map = MapQuoteStates(dialect_, text);
    lock.Lock();
    while (!file.failed && file.state_at_cut.size() <= cut_number) state_known_.Wait(mutex_);
    if (file.failed) return false;
    at_begin = file.state_at_cut[cut_number];
    at_end = map[static_cast<size_t>(at_begin)];
  }
  file.state_at_cut.push_back(at_end);
  state_known_.NotifyAll();
  return true;
}

/// Sets chunk.end to the end of the row that `cut` cuts, where the state is `state`. Reads on as far as
/// needed.
void CsvSource::FindEnd(OpenFile& file, CsvChunk& chunk, size_t cut, QuoteState state, bool at_file_end) {
  TextBuffer& buffer = *chunk.buffer;
  size_t position = cut;
  while (state != QuoteState::kRowStart) {
    const std::string_view text(buffer.data() + position, buffer.size - position);
    if (const auto row_end = FindRowEnd(dialect_, state, text)) {
      position += *row_end;
      break;
    }
    position = buffer.size;
    if (at_file_end) {
      buffer.data()[position++] = dialect_.newline;  // in the padding: the last row ends with the file
      break;
    }
    context_.CheckInterrupt();
    // Grows geometrically, so that a very long row does not take quadratic time.
    at_file_end = !Fill(file, chunk, std::max(read_ahead_, buffer.size / 2));
  }
  chunk.end = position;
}

bool CsvSource::ReadStream(OpenFile& file, CsvChunk& chunk) {
  context_.CheckInterrupt();
  chunk.file_offset = file.leftover_offset;
  chunk.buffer = std::make_shared<TextBuffer>(context_.memory);
  TextBuffer& buffer = *chunk.buffer;
  const size_t wanted = std::max(chunk_bytes_ + read_ahead_, file.leftover.size());
  buffer.Grow(wanted);
  std::memcpy(buffer.data(), file.leftover.data(), file.leftover.size());
  buffer.size = file.leftover.size();
  const bool is_full = Fill(file, chunk, wanted - buffer.size);
  if (buffer.size == 0) return false;
  const size_t cut = std::min(chunk_bytes_, buffer.size);
  const QuoteState state = AdvanceQuoteState(dialect_, QuoteState::kRowStart, {buffer.data(), cut});
  chunk.begin = 0;
  FindEnd(file, chunk, cut, state, !is_full);
  // Rows beyond the cut are left to the next chunk, so that chunks have about the wanted size.
  const size_t used = std::min(chunk.end, buffer.size);
  if (file.info.pipe != nullptr) {
    chunk.first_line = file.next_line;
    file.next_line +=
        static_cast<uint64_t>(std::count(buffer.data(), buffer.data() + used, dialect_.newline));
  }
  file.leftover.assign(buffer.data() + used, buffer.size - used);
  file.leftover_offset = chunk.file_offset + used;
  NoteProgress();
  return true;
}

}  // namespace scaup

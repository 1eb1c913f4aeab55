// Reads chunks, and determines where the first document of each begins and the last one ends.
#include "format/json/json_source.hpp"

#include <algorithm>
#include <cstring>

namespace scaup {

namespace {

constexpr size_t kReadAheadBytes = 64 * 1024;

/// The position after the first line end at or after `from`; nullopt if there is none.
std::optional<size_t> FindLineEnd(TextBuffer& buffer, size_t from) {
  if (from >= buffer.size) return std::nullopt;
  const void* found = std::memchr(buffer.data() + from, '\n', buffer.size - from);
  if (found == nullptr) return std::nullopt;
  return static_cast<size_t>(static_cast<const char*>(found) - buffer.data()) + 1;
}

}  // namespace

bool JsonChunk::Next(JsonSpan& document) {
  if (!is_lines) {
    if (next_value == values.size()) return false;
    document = values[next_value++];
    return true;
  }
  const char* data = buffer->data();
  while (begin < end) {
    size_t from = begin;
    const void* found = std::memchr(data + begin, '\n', end - begin);
    size_t to = found == nullptr ? end : static_cast<size_t>(static_cast<const char*>(found) - data);
    begin = to + 1;
    while (from < to && IsJsonSpace(data[from])) from++;
    while (from < to && IsJsonSpace(data[to - 1])) to--;
    if (from == to) continue;
    document = {static_cast<uint32_t>(from), static_cast<uint32_t>(to)};
    return true;
  }
  return false;
}

JsonSource::JsonSource(const FunctionContext& context, std::span<const JsonFile> files, size_t chunk_bytes,
                       bool is_sample)
    : context_(context),
      files_(files.begin(), files.end()),
      chunk_bytes_(chunk_bytes),
      is_sample_(is_sample) {
  for (const JsonFile& file : files_) total_bytes_ += file.text.size_bytes;
}

void JsonSource::Stop() {
  const MutexLock lock(mutex_);
  stopped_ = true;
}

bool JsonSource::Next(JsonChunk& chunk) {
  std::shared_ptr<OpenFile> cut_file;
  uint64_t cut = 0;
  if (!Claim(chunk, cut_file, cut)) return false;
  if (cut_file != nullptr) ReadCut(*cut_file, cut, chunk);
  return true;
}

bool JsonSource::Claim(JsonChunk& chunk, std::shared_ptr<OpenFile>& cut_file, uint64_t& cut) {
  const MutexLock lock(mutex_);
  while (!stopped_ && file_index_ < files_.size()) {
    if (open_ == nullptr) OpenNext();
    chunk = JsonChunk();
    chunk.sequence = next_sequence_;
    chunk.file_index = file_index_;
    if (!open_->IsCut()) {
      if (ReadOn(*open_, chunk)) {
        next_sequence_++;
        return true;
      }
    } else if (open_->info.text.data_begin + open_->next_cut * chunk_bytes_ < open_->info.text.size_bytes) {
      cut_file = open_;
      cut = open_->next_cut++;
      next_sequence_++;
      NoteProgress();
      return true;
    }
    finished_files_bytes_ += files_[file_index_].text.size_bytes;
    open_ = nullptr;
    file_index_++;
  }
  return false;
}

void JsonSource::OpenNext() {
  auto open = std::make_shared<OpenFile>();
  open->info = files_[file_index_];
  open->file = OpenTextFile(context_, open->info.text);
  open->info.text.size_bytes = open->file->Size();
  open->leftover_offset = open->info.text.data_begin;
  if (open->info.layout != JsonLayout::kLines) open->splitter.emplace(open->info.layout);
  if (open->info.text.IsStream()) {
    if (open->info.text.pipe != nullptr && !is_sample_) open->info.text.pipe->Start();
    open->text = OpenText(open->info.text, *open->file);
    std::vector<char> skipped(open->info.text.data_begin);  // bounded by what the binder read
    open->text->Read(skipped.data(), skipped.size());
    open->next_line += static_cast<uint64_t>(std::count(skipped.begin(), skipped.end(), '\n'));
  }
  open_ = std::move(open);
}

void JsonSource::NoteProgress() {
  const uint64_t in_file = open_->text != nullptr ? open_->text->consumed_bytes()
                           : open_->IsCut()       ? open_->next_cut * chunk_bytes_
                                                  : open_->leftover_offset;
  done_bytes_.store(
      std::min(total_bytes_, finished_files_bytes_ + std::min(open_->info.text.size_bytes, in_file)),
      std::memory_order_relaxed);
}

size_t JsonSource::Read(OpenFile& file, uint64_t offset, char* target, size_t size_bytes) {
  return file.text != nullptr ? file.text->Read(target, size_bytes)
                              : file.file->Read(offset, target, size_bytes);
}

void JsonSource::ReadCut(OpenFile& file, uint64_t cut_number, JsonChunk& chunk) {
  // The byte before the cut tells whether a line begins at the cut.
  const size_t before = cut_number == 0 ? 0 : 1;
  chunk.file_offset = file.info.text.data_begin + cut_number * chunk_bytes_ - before;
  chunk.buffer = std::make_shared<TextBuffer>(context_.memory);
  TextBuffer& buffer = *chunk.buffer;
  const uint64_t left = file.info.text.size_bytes - chunk.file_offset;
  bool at_file_end = false;
  const auto fill = [&](size_t size_bytes) {
    buffer.Grow(buffer.size + size_bytes);
    const size_t got = Read(file, chunk.file_offset + buffer.size, buffer.data() + buffer.size, size_bytes);
    at_file_end = got < size_bytes;
    buffer.size += got;
  };
  // One byte more than expected, to detect the end of the file.
  fill(std::min<uint64_t>(before + chunk_bytes_ + kReadAheadBytes, left + 1));
  const size_t cut_end = std::min(before + chunk_bytes_, buffer.size);
  // A line that the cut divides belongs to the previous chunk.
  if (before == 1) chunk.begin = std::min(FindLineEnd(buffer, 0).value_or(cut_end), cut_end);
  chunk.end = chunk.begin;
  if (chunk.begin == cut_end) return;
  // From the last byte before the cut, which may be the line end itself.
  for (size_t from = cut_end - 1;;) {
    if (const auto line_end = FindLineEnd(buffer, from)) {
      chunk.end = *line_end;
      return;
    }
    if (at_file_end) {
      chunk.end = buffer.size;
      return;
    }
    context_.CheckInterrupt();
    // Grows geometrically, so that a very long line does not take quadratic time.
    from = buffer.size;
    fill(std::max(kReadAheadBytes, buffer.size / 2));
  }
}

/// Reads the next documents of a file that one thread at a time reads. Returns false at its end.
bool JsonSource::ReadOn(OpenFile& file, JsonChunk& chunk) {
  if (file.at_end && file.leftover.empty()) return false;
  chunk.file_offset = file.leftover_offset;
  chunk.is_lines = !file.splitter;
  chunk.buffer = std::make_shared<TextBuffer>(context_.memory);
  TextBuffer& buffer = *chunk.buffer;
  size_t wanted = std::max(chunk_bytes_, file.leftover.size() + chunk_bytes_ / 2);
  buffer.Grow(wanted);
  std::memcpy(buffer.data(), file.leftover.data(), file.leftover.size());
  buffer.size = file.leftover.size();
  size_t used = 0;
  for (;;) {
    context_.CheckInterrupt();
    const size_t got =
        Read(file, chunk.file_offset + buffer.size, buffer.data() + buffer.size, wanted - buffer.size);
    buffer.size += got;
    file.at_end = buffer.size < wanted;
    used = TakeWhole(file, chunk);
    if (used > 0 || file.at_end) break;
    wanted = buffer.size * 2;  // a document longer than the buffer
    buffer.Grow(wanted);
  }
  if (chunk.fault != nullptr) {
    file.at_end = true;  // the text after the fault is meaningless
    used = buffer.size;
  }
  if (file.info.text.pipe != nullptr) {
    chunk.first_line = file.next_line;
    file.next_line += static_cast<uint64_t>(std::count(buffer.data(), buffer.data() + used, '\n'));
  }
  file.leftover.assign(buffer.data() + used, buffer.size - used);
  file.leftover_offset = chunk.file_offset + used;
  NoteProgress();
  return true;
}

/// Finds the whole documents in the buffer. Returns the length of the text that was processed.
size_t JsonSource::TakeWhole(OpenFile& file, JsonChunk& chunk) {
  TextBuffer& buffer = *chunk.buffer;
  const std::string_view text(buffer.data(), buffer.size);
  if (!file.splitter) {
    const size_t last = file.at_end ? text.size() : text.rfind('\n') + 1;
    chunk.end = last;
    return last;
  }
  const size_t used = file.splitter->Split(text, file.at_end, chunk.values);
  if (file.splitter->fault() != nullptr) {
    chunk.fault = file.splitter->fault();
    chunk.fault_position = file.splitter->fault_position();
  }
  return used;
}

}  // namespace scaup

// Finds the newest checkpoint, and holds it against a writer.
#include "storage/file/checkpoint_reader.hpp"

#include <exception>
#include <utility>

#include "common/throw.hpp"
#include "storage/file/process_locks.hpp"

namespace scaup {

bool CheckpointReader::HasWriter() { return scaup::HasWriter(file_); }

bool CheckpointReader::ReadsNewest() {
  HeaderImage image;
  ReadHeaderImage(file_, image);
  return image == image_;
}

bool CheckpointReader::TryReadNewest(HeaderImage& image, FileHeader& header) {
  HeaderImage again;
  ReadHeaderImage(file_, image);
  try {
    header = DecodeHeaderImage(image, file_).header;
  } catch (const std::exception&) {
    // Copies that a writer is just writing look damaged, but not for long.
    ReadHeaderImage(file_, again);
    if (image == again) throw;
    return false;
  }
  // Marked first, then compared; see BeginReading.
  BeginReading(file_, header.checkpoint_number);
  try {
    ReadHeaderImage(file_, again);
    if (image == again) CheckLength(file_, header);
  } catch (...) {
    Unmark(header.checkpoint_number);
    throw;
  }
  if (image == again) return true;
  Unmark(header.checkpoint_number);
  return false;
}

void CheckpointReader::Unmark(uint64_t number) {
  if (marked_.count(number) == 0) EndReading(file_, number);
}

bool CheckpointReader::ReadNewest() {
  // A writer that makes one checkpoint after the other may change the header each time between two reads of
  // it, but each of its turns takes several syncs.
  constexpr int kMostAttempts = 1000;
  HeaderImage image;
  FileHeader next;
  for (int attempt = 1; !TryReadNewest(image, next); attempt++) {
    if (attempt != kMostAttempts) continue;
    ThrowError(ErrorKind::kIo, sqlstate::kObjectInUse,
               "the header of database file \"" + file_.path() + "\" changes all the time; try again");
  }
  marked_.insert(next.checkpoint_number);
  image_ = image;
  // While a writer writes one copy after the other, the bytes change and what they say does not.
  const bool is_other = EncodeHeader(next) != EncodeHeader(header_);
  header_ = std::move(next);
  allocator_.ExtendTo(header_.block_count);
  return is_other;
}

void CheckpointReader::EndReadingOlder() {
  if (marked_.size() == 1 || allocator_.HoldsOthers()) return;
  for (auto number = marked_.begin(); number != marked_.end();) {
    if (*number == header_.checkpoint_number) {
      ++number;
      continue;
    }
    EndReading(file_, *number);
    number = marked_.erase(number);
  }
}

}  // namespace scaup

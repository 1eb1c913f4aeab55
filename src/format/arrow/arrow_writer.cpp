// Exports rows of result columns as Arrow arrays.
#include "format/arrow/arrow_writer.hpp"

#include <algorithm>
#include <cstring>

#include "common/memory/arena.hpp"
#include "common/throw.hpp"
#include "format/arrow/arrow_bits.hpp"
#include "format/arrow/arrow_holder.hpp"
#include "format/arrow/arrow_value.hpp"
#include "format/arrow/nested_array.hpp"
#include "type/number/stored_text.hpp"
#include "type/text/string_ref.hpp"

namespace scaup {

namespace {

// Well below 2 GiB, because one more string of 1 GiB may follow.
constexpr uint64_t kMostStringBytes = uint64_t{1} << 30;

/// Arrow's string view: like a StringRef, but long strings have a buffer index and an offset.
struct LongView {
  uint32_t length;
  char prefix[4];
  int32_t buffer;
  int32_t offset;
};
static_assert(sizeof(LongView) == sizeof(StringRef));

/// Exports rows [begin, begin + count) of a column.
class ColumnExport {
 public:
  ColumnExport(const ArrowSource& source, const ArrowLayout& layout, MemoryTracker& memory,
               const std::shared_ptr<const void>& owner, size_t begin, size_t count)
      : source_(source),
        layout_(layout),
        memory_(memory),
        owner_(owner),
        begin_(begin),
        count_(count),
        holder_(std::make_unique<ArrowHolder>(memory)) {
    holder_->KeepAlive(owner);
  }

  void Run(ArrowArray* out) {
    const LogicalType& type = source_.type;
    if (type.id() == TypeId::kNull) return ArrowHolder::Publish(std::move(holder_), count_, count_, out);
    if (IsPacked(type.id())) return ExportNested(out);
    AddValidity();
    if (type.id() == TypeId::kBoolean) {
      auto* bits = reinterpret_cast<uint8_t*>(holder_->Allocate((count_ + 7) / 8));
      PackBits(reinterpret_cast<const uint8_t*>(source_.values) + begin_, count_, false, bits);
      holder_->AddBuffer(bits);
    } else if (IsArrowText(type, layout_)) {
      AddStrings();
    } else if (IsSameLayout(type)) {
      holder_->AddBuffer(source_.values + begin_ * PhysicalSize(type));
    } else {
      AddConverted();
    }
    if (type.id() == TypeId::kEnum && layout_.dictionaries)
      ExportLabels(type, memory_, owner_, holder_->MakeDictionary());
    ArrowHolder::Publish(std::move(holder_), count_, null_count_, out);
  }

 private:
  bool IsNull(size_t i) const { return source_.nulls != nullptr && source_.nulls[begin_ + i] != 0; }
  template <typename T>
  const T* Values() const {
    return reinterpret_cast<const T*>(source_.values) + begin_;
  }

  void AddValidity() {
    if (source_.nulls == nullptr) return holder_->AddBuffer(nullptr);
    auto* bits = reinterpret_cast<uint8_t*>(holder_->Allocate((count_ + 7) / 8));
    null_count_ = count_ - PackBits(source_.nulls + begin_, count_, true, bits);
    holder_->AddBuffer(null_count_ == 0 ? nullptr : bits);
  }

  void AddConverted() {
    VisitArrowValue(source_.type, [&]<typename T>(auto convert) {
      using To = decltype(convert(T()));
      auto* to = reinterpret_cast<To*>(holder_->Allocate(count_ * sizeof(To)));
      const T* from = Values<T>();
      for (size_t i = 0; i < count_; i++) to[i] = convert(from[i]);
      holder_->AddBuffer(to);
    });
  }

  void AddStrings() {
    if (source_.type.id() == TypeId::kEnum) return AddLabels();
    Arena texts(&memory_);
    std::vector<StringRef> stored;
    const auto* strings = Values<StringRef>();
    if (HasStoredForm(source_.type)) {
      stored = StoredTexts(texts);
      strings = stored.data();
    }
    layout_.string_views ? AddViews(strings) : AddBytes(strings);
  }

  std::vector<StringRef> StoredTexts(Arena& texts) const {
    std::vector<StringRef> result(count_);
    std::string text;
    for (size_t i = 0; i < count_; i++) {
      if (IsNull(i)) continue;
      text.clear();
      AppendStoredText(source_.type, Values<StringRef>()[i].view(), text);
      result[i] = StringRef(text);
      if (result[i].is_inline()) continue;
      auto* copy = reinterpret_cast<char*>(texts.Allocate(text.size(), 1));
      std::memcpy(copy, text.data(), text.size());
      result[i] = StringRef(copy, static_cast<uint32_t>(text.size()));
    }
    return result;
  }

  void AddBytes(const StringRef* strings) {
    uint64_t size_bytes = 0;
    for (size_t i = 0; i < count_; i++) size_bytes += strings[i].size();
    ArrowOffset(size_bytes);
    auto* offsets = reinterpret_cast<int32_t*>(holder_->Allocate((count_ + 1) * sizeof(int32_t)));
    auto* bytes = reinterpret_cast<char*>(holder_->Allocate(size_bytes + kSpareBytes));
    int32_t end = 0;
    for (size_t i = 0; i < count_; i++) {
      offsets[i] = end;
      const StringRef& string = strings[i];
      // Most strings are short: a constant size is copied at once, and the next string overwrites the
      // surplus.
      if (string.is_inline()) {
        std::memcpy(bytes + end, reinterpret_cast<const char*>(&string) + 4, StringRef::kInlineBytes);
      } else {
        std::memcpy(bytes + end, string.data(), string.size());
      }
      end += static_cast<int32_t>(string.size());
    }
    offsets[count_] = end;
    holder_->AddBuffer(offsets);
    holder_->AddBuffer(bytes);
  }

  void AddLabels() {
    std::string bytes;
    auto* offsets = reinterpret_cast<int32_t*>(holder_->Allocate((count_ + 1) * sizeof(int32_t)));
    const auto* positions = Values<int16_t>();
    for (size_t i = 0; i < count_; i++) {
      offsets[i] = ArrowOffset(bytes.size());
      if (!IsNull(i)) bytes += source_.type.label(static_cast<size_t>(positions[i]));
    }
    offsets[count_] = ArrowOffset(bytes.size());
    std::byte* copy = holder_->Allocate(bytes.size());
    std::memcpy(copy, bytes.data(), bytes.size());
    holder_->AddBuffer(offsets);
    holder_->AddBuffer(copy);
  }

  /// Adds string views; the bytes of long strings go to one buffer.
  void AddViews(const StringRef* strings) {
    uint64_t size_bytes = 0;
    for (size_t i = 0; i < count_; i++) size_bytes += strings[i].is_inline() ? 0 : strings[i].size();
    ArrowOffset(size_bytes);
    auto* views = reinterpret_cast<LongView*>(holder_->Allocate(count_ * sizeof(LongView)));
    auto* bytes = reinterpret_cast<char*>(holder_->Allocate(size_bytes));
    int32_t end = 0;
    for (size_t i = 0; i < count_; i++) {
      std::memcpy(&views[i], &strings[i], sizeof(StringRef));
      if (strings[i].is_inline()) continue;
      std::memcpy(bytes + end, strings[i].data(), strings[i].size());
      views[i].buffer = 0;
      views[i].offset = end;
      end += static_cast<int32_t>(strings[i].size());
    }
    holder_->AddBuffer(views);
    if (end != 0) holder_->AddBuffer(bytes);
    auto* lengths = reinterpret_cast<int64_t*>(holder_->Allocate(sizeof(int64_t)));
    lengths[0] = end;
    holder_->AddBuffer(lengths);
  }

  void ExportNested(ArrowArray* out) {
    NestedArray array(source_.type, layout_);
    const auto* packed = Values<StringRef>();
    for (size_t i = 0; i < count_; i++) {
      if (IsNull(i)) {
        array.AppendNull();
      } else {
        array.AppendPacked(packed[i].view());
      }
    }
    array.Finish(memory_, owner_, out);
  }

  static constexpr size_t kSpareBytes = 16;

  const ArrowSource& source_;
  const ArrowLayout& layout_;
  MemoryTracker& memory_;
  const std::shared_ptr<const void>& owner_;
  const size_t begin_;
  const size_t count_;
  std::unique_ptr<ArrowHolder> holder_;
  size_t null_count_ = 0;
};

}  // namespace

ArrowWriter::ArrowWriter(std::vector<ArrowSource> columns, ArrowLayout layout, MemoryTracker& memory,
                         std::shared_ptr<const void> owner)
    : columns_(std::move(columns)), layout_(std::move(layout)), memory_(memory), owner_(std::move(owner)) {}

size_t ArrowWriter::RowsOfArray(size_t begin, size_t wanted) const {
  size_t count = wanted;
  for (const ArrowSource& column : columns_) {
    const bool is_enum_text = column.type.id() == TypeId::kEnum && !layout_.dictionaries;
    if (is_enum_text) count = std::min<size_t>(count, kMostStringBytes / LogicalType::kMaxLabelBytes);
    if (PhysicalTypeOf(column.type) != PhysicalType::kString) continue;
    const bool has_stored_form = HasStoredForm(column.type);
    const auto* strings = reinterpret_cast<const StringRef*>(column.values) + begin;
    uint64_t size_bytes = 0;
    for (size_t i = 0; i < count; i++) {
      size_bytes += has_stored_form ? StoredTextBound(column.type, strings[i].view()) : strings[i].size();
      if (size_bytes > kMostStringBytes && i != 0) count = i;
    }
  }
  return count;
}

void ArrowWriter::Export(size_t begin, size_t count, ArrowArray* out) const {
  auto holder = std::make_unique<ArrowHolder>(memory_);
  holder->KeepAlive(owner_);
  holder->AddBuffer(nullptr);
  for (const ArrowSource& column : columns_) {
    ArrowArray* child = holder->AddChild();
    ColumnExport(column, layout_, memory_, owner_, begin, count).Run(child);
  }
  ArrowHolder::Publish(std::move(holder), count, 0, out);
}

}  // namespace scaup

// Vector: its forms, sharing, and conversion between forms.
#include "vector/vector.hpp"

#include <array>
#include <cstring>

#include "common/memory/copy_bytes.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/memory/piece_cache.hpp"
#include "common/throw.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/vector_memory.hpp"

namespace scaup {

namespace {

/// Computes start + row * increment. Rows past the end of a sequence may wrap and are never read.
int64_t SequenceValue(int64_t start, int64_t increment, size_t row) {
  return static_cast<int64_t>(static_cast<uint64_t>(start) +
                              static_cast<uint64_t>(row) * static_cast<uint64_t>(increment));
}

/// An owner that keeps alive what either of the two does.
std::shared_ptr<const void> Both(std::shared_ptr<const void> a, std::shared_ptr<const void> b) {
  if (!a || a == b) return b;
  if (!b) return a;
  using Pair = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
  return std::make_shared<const Pair>(std::move(a), std::move(b));
}

}  // namespace

VectorBuffer::VectorBuffer(size_t value_bytes, MemoryTracker* memory)
    : data_(TakeVectorMemory(value_bytes), GiveBack{value_bytes}), memory_(memory) {}

void VectorBuffer::GiveBack::operator()(std::byte* data) const noexcept {
  GiveBackVectorMemory(data, value_bytes);
}

std::span<std::byte> VectorBuffer::StringRoom() {
  const size_t value_bytes = data_.get_deleter().value_bytes;
  return {data_.get() + kVectorSize * value_bytes,
          VectorMemoryBytes(value_bytes) - kVectorSize * value_bytes};
}

Arena& VectorBuffer::heap() {
  constexpr size_t kFirstHeapBytes = 4096;
  if (!heap_) heap_.emplace(memory_, kFirstHeapBytes, StringRoom());
  return *heap_;
}

Vector::Vector(LogicalType type) : type_(type), physical_type_(PhysicalTypeOf(type)) {}

Vector::Vector(const Value& value) : Vector(value.type()) { ReferenceValue(value); }

void Vector::EnsureOwnBuffer() {
  // A buffer that other vectors still read must not be written; a new one costs little.
  if (!buffer_ || buffer_.use_count() > 1 || buffer_->memory() != memory_) {
    buffer_ = std::allocate_shared<VectorBuffer>(PieceAllocator<VectorBuffer>(), PhysicalSize(physical_type_),
                                                 memory_);
  } else {
    buffer_->ResetHeap();
  }
}

void Vector::Reset() {
  if (owner_) owner_.reset();
  if (selection_) selection_.reset();
  if (kind_ == VectorKind::kDictionary) dictionary_ = Dictionary{};
  EnsureOwnBuffer();
  kind_ = VectorKind::kFlat;
  data_ = buffer_->data();
  validity_ = nullptr;
}

void Vector::Release() {
  if (owner_) owner_.reset();
  if (selection_) selection_.reset();
  if (kind_ == VectorKind::kDictionary) dictionary_ = Dictionary{};
  // A shared buffer is left to the other vectors; an unshared one is retained for reuse.
  if (buffer_ && buffer_.use_count() > 1) buffer_.reset();
  kind_ = VectorKind::kFlat;
  data_ = nullptr;
  validity_ = nullptr;
}

ValidityWord* Vector::MutableValidity() {
  ValidityWord* words = buffer_->validity();
  if (validity_ != words) {
    if (validity_ != nullptr) {
      std::memcpy(words, validity_, kValidityWords * sizeof(ValidityWord));
    } else {
      scaup::SetAllValid(words, kVectorSize);
    }
    validity_ = words;
  }
  return words;
}

void Vector::SetValidity(const ValidityWord* words) {
  SCAUP_ASSERT(is_flat());
  if (buffer_ && data_ == buffer_->data()) {
    std::memcpy(MutableValidity(), words, kValidityWords * sizeof(ValidityWord));
    return;
  }
  const auto copy = std::make_shared<std::array<ValidityWord, kValidityWords>>();
  std::memcpy(copy->data(), words, sizeof(*copy));
  validity_ = copy->data();
  owner_ = Both(std::move(owner_), copy);
}

void Vector::SetConstantNull() {
  Reset();
  std::memset(buffer_->data(), 0, PhysicalSize(physical_type_));
  SetNull(0);
  kind_ = VectorKind::kConstant;
}

void Vector::SetValue(size_t row, const Value& value) {
  SCAUP_ASSERT(buffer_ != nullptr);
  if (value.is_null()) {
    SetNull(row);
    std::memset(buffer_->data() + row * PhysicalSize(physical_type_), 0, PhysicalSize(physical_type_));
    return;
  }
  switch (physical_type_) {
    case PhysicalType::kString: MutableData<StringRef>()[row] = AddString(value.GetString()); break;
    case PhysicalType::kInterval: MutableData<Interval>()[row] = value.GetInterval(); break;
    case PhysicalType::kFloat: MutableData<float>()[row] = static_cast<float>(value.GetDouble()); break;
    case PhysicalType::kDouble: MutableData<double>()[row] = value.GetDouble(); break;
    case PhysicalType::kBool: MutableData<uint8_t>()[row] = value.GetBoolean(); break;
    case PhysicalType::kInt8: MutableData<int8_t>()[row] = static_cast<int8_t>(value.GetInteger()); break;
    case PhysicalType::kInt16: MutableData<int16_t>()[row] = static_cast<int16_t>(value.GetInteger()); break;
    case PhysicalType::kInt32: MutableData<int32_t>()[row] = static_cast<int32_t>(value.GetInteger()); break;
    case PhysicalType::kInt64: MutableData<int64_t>()[row] = static_cast<int64_t>(value.GetInteger()); break;
    case PhysicalType::kInt128: MutableData<int128_t>()[row] = value.GetInteger(); break;
    case PhysicalType::kUInt8: MutableData<uint8_t>()[row] = static_cast<uint8_t>(value.GetInteger()); break;
    case PhysicalType::kUInt16:
      MutableData<uint16_t>()[row] = static_cast<uint16_t>(value.GetInteger());
      break;
    case PhysicalType::kUInt32:
      MutableData<uint32_t>()[row] = static_cast<uint32_t>(value.GetInteger());
      break;
    case PhysicalType::kUInt64:
      MutableData<uint64_t>()[row] = static_cast<uint64_t>(value.GetInteger());
      break;
  }
}

StringRef Vector::AddLongString(std::string_view bytes) {
  if (bytes.size() > UINT32_MAX) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded, "a string is longer than 4 GiB");
  }
  char* copy = AllocateString(bytes.size());
  CopyBytes(copy, bytes.data(), bytes.size());
  return StringRef(copy, static_cast<uint32_t>(bytes.size()));
}

std::shared_ptr<const void> Vector::SharedMemory() const {
  // The values are in foreign memory, or in the vector's own buffer with strings that may point elsewhere.
  if (!buffer_ || data_ != buffer_->data()) return owner_;
  return Both(buffer_, owner_);
}

void Vector::KeepAlive(std::shared_ptr<const void> memory) {
  std::shared_ptr<const void>& kept = kind_ == VectorKind::kDictionary ? dictionary_.owner : owner_;
  kept = Both(std::move(kept), std::move(memory));
}

void Vector::Reference(const Vector& other) {
  SCAUP_ASSERT(physical_type_ == other.physical_type_);
  if (this == &other) return;
  kind_ = other.kind_;
  data_ = other.data_;
  validity_ = other.validity_;
  owner_ = other.SharedMemory();
  if (dictionary_.owner || other.kind_ == VectorKind::kDictionary) dictionary_ = other.dictionary_;
  if (selection_ || other.selection_) selection_ = other.selection_;
  sequence_start_ = other.sequence_start_;
  sequence_increment_ = other.sequence_increment_;
}

void Vector::ReferenceValue(const Value& value) {
  Reset();
  SetValue(0, value);
  kind_ = VectorKind::kConstant;
}

void Vector::ReferenceFlat(const std::byte* data, const ValidityWord* validity,
                           std::shared_ptr<const void> owner) {
  selection_.reset();
  dictionary_ = Dictionary{};
  kind_ = VectorKind::kFlat;
  data_ = data;
  validity_ = validity;
  owner_ = std::move(owner);
}

void Vector::ReferenceDictionary(Dictionary dictionary, SelectionRef selection) {
  owner_.reset();
  kind_ = VectorKind::kDictionary;
  data_ = nullptr;
  validity_ = nullptr;
  dictionary_ = std::move(dictionary);
  selection_ = std::move(selection);
}

void Vector::MakeSequence(int64_t start, int64_t increment) {
  Release();
  kind_ = VectorKind::kSequence;
  sequence_start_ = start;
  sequence_increment_ = increment;
}

void Vector::Slice(const Vector& other, size_t other_size, const SelectionRef& selection, size_t count) {
  switch (other.kind_) {
    case VectorKind::kConstant: Reference(other); return;
    case VectorKind::kDictionary: {
      auto composed = std::make_shared<SelectionVector>();
      const sel_t* inner = other.selection_->rows;
      for (size_t i = 0; i < count; i++) composed->rows[i] = inner[selection->rows[i]];
      // Copied first: `other` may be this vector.
      Dictionary dictionary = other.dictionary_;
      ReferenceDictionary(std::move(dictionary), std::move(composed));
      return;
    }
    case VectorKind::kSequence: {
      const int64_t start = other.sequence_start_, increment = other.sequence_increment_;
      Reset();
      VisitBits(physical_type_, [&]<typename T>() {
        if constexpr (std::is_integral_v<T> || std::is_same_v<T, int128_t>) {
          T* out = MutableData<T>();
          for (size_t i = 0; i < count; i++) {
            out[i] = static_cast<T>(SequenceValue(start, increment, selection->rows[i]));
          }
        }
      });
      return;
    }
    case VectorKind::kFlat: {
      Dictionary dictionary;
      dictionary.data = other.data_;
      dictionary.validity = other.validity_;
      dictionary.size = other_size;
      dictionary.owner = other.SharedMemory();
      ReferenceDictionary(std::move(dictionary), selection);
      return;
    }
  }
}

UnifiedView Vector::View(size_t count) {
  switch (kind_) {
    case VectorKind::kFlat: return {data_, IdentitySelection(), validity_};
    case VectorKind::kConstant: return {data_, ZeroSelection(), validity_};
    case VectorKind::kDictionary: return {dictionary_.data, selection_->rows, dictionary_.validity};
    case VectorKind::kSequence: Flatten(count); return {data_, IdentitySelection(), validity_};
  }
  ThrowInternal("unknown vector kind");
}

void Vector::Flatten(size_t count) {
  if (kind_ == VectorKind::kFlat) return;
  if (kind_ == VectorKind::kSequence) {
    const int64_t start = sequence_start_, increment = sequence_increment_;
    Reset();
    VisitBits(physical_type_, [&]<typename T>() {
      if constexpr (std::is_integral_v<T> || std::is_same_v<T, int128_t>) {
        T* out = MutableData<T>();
        for (size_t i = 0; i < count; i++) out[i] = static_cast<T>(SequenceValue(start, increment, i));
      }
    });
    return;
  }
  Vector source(type_);
  source.Reference(*this);
  const UnifiedView view = source.View(count);
  // The bytes of strings stay where they are, so the source's memory must stay alive. Reset takes a different
  // buffer, because `source` still refers to the old one.
  std::shared_ptr<const void> source_memory =
      source.kind_ == VectorKind::kDictionary ? source.dictionary_.owner : source.owner_;
  Reset();
  VisitBits(physical_type_, [&]<typename T>() {
    const auto typed = view.As<T>();
    T* out = MutableData<T>();
    for (size_t i = 0; i < count; i++) out[i] = typed[i];
  });
  if (view.validity != nullptr) {
    ValidityWord* words = MutableValidity();
    for (size_t i = 0; i < count; i++) {
      if (!view.IsValid(i)) SetInvalid(words, i);
    }
  }
  if (physical_type_ == PhysicalType::kString) owner_ = std::move(source_memory);
}

void Vector::Unshare(size_t count) {
  if (kind_ != VectorKind::kFlat) return Flatten(count);
  if (buffer_ && data_ == buffer_->data() && buffer_.use_count() == 1) return;
  Vector source(type_);
  source.Reference(*this);
  std::shared_ptr<const void> strings =
      physical_type_ == PhysicalType::kString ? source.SharedMemory() : nullptr;
  Reset();
  std::memcpy(buffer_->data(), source.data_, count * PhysicalSize(physical_type_));
  if (source.validity_ != nullptr)
    std::memcpy(MutableValidity(), source.validity_, (count + 63) / 64 * sizeof(ValidityWord));
  owner_ = std::move(strings);
}

Value Vector::GetValue(size_t row) const {
  size_t index = row;
  const std::byte* data = data_;
  const ValidityWord* validity = validity_;
  switch (kind_) {
    case VectorKind::kFlat: break;
    case VectorKind::kConstant: index = 0; break;
    case VectorKind::kDictionary:
      index = selection_->rows[row];
      data = dictionary_.data;
      validity = dictionary_.validity;
      break;
    case VectorKind::kSequence:
      return Value::FromInteger(type_, SequenceValue(sequence_start_, sequence_increment_, row));
  }
  if (type_.id() == TypeId::kNull || (validity != nullptr && !TestValid(validity, index)))
    return Value(type_);
  Value result;
  VisitPhysicalType(physical_type_, [&]<typename T>() {
    const T& item = reinterpret_cast<const T*>(data)[index];
    if constexpr (std::is_same_v<T, StringRef>) {
      result = Value::FromBytes(type_, item.ToString());
    } else if constexpr (std::is_same_v<T, Interval>) {
      result = Value::MakeInterval(item);
    } else if constexpr (std::is_same_v<T, float>) {
      result = Value::Real(item);
    } else if constexpr (std::is_same_v<T, double>) {
      result = Value::Double(item);
    } else {
      result = Value::FromInteger(type_, item);
    }
  });
  return result;
}

void PutValue(const std::byte* value, Vector& target, size_t row) {
  VisitBits(target.physical_type(), [&]<typename T>() {
    T* out = target.MutableData<T>() + row;
    if (value == nullptr) {
      target.SetNull(row);
      *out = T{};
    } else if constexpr (std::is_same_v<T, StringRef>) {
      *out = target.AddString(reinterpret_cast<const StringRef*>(value)->view());
    } else {
      std::memcpy(out, value, sizeof(T));
    }
  });
}

void CopyRow(const UnifiedView& source, size_t source_row, Vector& target, size_t target_row) {
  VisitBits(target.physical_type(), [&]<typename T>() {
    T* out = target.MutableData<T>();
    if (!source.IsValid(source_row)) {
      target.SetNull(target_row);
      out[target_row] = T{};
    } else if constexpr (std::is_same_v<T, StringRef>) {
      out[target_row] = target.AddString(source.As<T>()[source_row].view());
    } else {
      out[target_row] = source.As<T>()[source_row];
    }
  });
}

void AppendVector(Vector& source, size_t count, Vector& target, size_t target_offset) {
  const UnifiedView view = source.View(count);
  VisitBits(target.physical_type(), [&]<typename T>() {
    T* out = target.MutableData<T>() + target_offset;
    const auto typed = view.As<T>();
    for (size_t row = 0; row < count; row++) {
      if (!view.IsValid(row)) {
        target.SetNull(target_offset + row);
        out[row] = T{};
      } else if constexpr (std::is_same_v<T, StringRef>) {
        out[row] = target.AddString(typed[row].view());
      } else {
        out[row] = typed[row];
      }
    }
  });
}

}  // namespace scaup

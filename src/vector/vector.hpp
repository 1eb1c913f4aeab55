// Vector: up to 1024 values of one type, in one of four forms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "common/check.hpp"
#include "common/memory/arena.hpp"
#include "scaup/value.hpp"
#include "type/physical_type.hpp"
#include "type/text/string_ref.hpp"
#include "vector/selection_vector.hpp"
#include "vector/validity_mask.hpp"

namespace scaup {

/// The forms of a vector. Kernels read all of them through UnifiedView.
enum class VectorKind : uint8_t {
  kFlat,        ///< data()[row]
  kConstant,    ///< data()[0] for every row
  kDictionary,  ///< child.data()[selection[row]]; the child is flat and may be longer than 1024
  kSequence,    ///< start + row * increment, integers only
};

/// The memory that a vector writes to: space for 1024 values, their validity, and an arena for string bytes.
/// Several vectors may share it; it is written only while a single vector refers to it.
class VectorBuffer {
 public:
  /// String bytes are accounted for in `memory` (null: not at all), which must outlive this.
  VectorBuffer(size_t value_bytes, MemoryTracker* memory);
  MemoryTracker* memory() const { return memory_; }
  std::byte* data() { return data_.get(); }
  ValidityWord* validity() { return validity_; }
  /// The arena of string bytes, made at the first use.
  Arena& heap();
  void ResetHeap() {
    if (heap_) heap_->Reset();
  }

 private:
  struct GiveBack {
    size_t value_bytes;
    void operator()(std::byte* data) const noexcept;
  };
  /// The space for string bytes after the values.
  std::span<std::byte> StringRoom();

  std::unique_ptr<std::byte[], GiveBack> data_;
  MemoryTracker* memory_;
  std::optional<Arena> heap_;
  ValidityWord validity_[kValidityWords];
};

/// A dictionary: a flat child of any length, in memory that `owner` keeps alive.
struct Dictionary {
  const std::byte* data = nullptr;
  const ValidityWord* validity = nullptr;  ///< null: no NULLs
  size_t size = 0;
  std::shared_ptr<const void> owner;
  /// Whether the dictionary holds distinct values for many vectors (a segment's dictionary), so that work
  /// done once per entry pays off. False if a selection was merely laid over a flat vector.
  bool is_distinct = false;
};

/// A uniform view of a vector of any form: row i is data[selection[i]], and it is valid if `validity` is null
/// or the bit at selection[i] is set. It borrows from the vector and is valid as long as that does not
/// change.
template <typename T>
struct TypedView {
  const T* data;
  const sel_t* selection;  ///< never null
  const ValidityWord* validity;
  const T& operator[](size_t row) const { return data[selection[row]]; }
  bool IsValid(size_t row) const { return validity == nullptr || TestValid(validity, selection[row]); }
  bool all_valid() const { return validity == nullptr; }
};

struct UnifiedView {
  const std::byte* data = nullptr;
  const sel_t* selection = nullptr;
  const ValidityWord* validity = nullptr;
  template <typename T>
  TypedView<T> As() const {
    return {reinterpret_cast<const T*>(data), selection, validity};
  }
  bool IsValid(size_t row) const { return validity == nullptr || TestValid(validity, selection[row]); }
};

/// A column of up to 1024 values. The vector does not know its length: the DataChunk, or the caller, does.
/// Movable but not copyable; Reference() shares memory instead. One thread at a time.
class Vector {
 public:
  /// Makes a flat vector without memory; call Reset() before writing, or Reference() another vector.
  explicit Vector(LogicalType type);
  /// Makes a constant vector.
  explicit Vector(const Value& value);
  Vector(Vector&&) noexcept = default;
  Vector& operator=(Vector&&) noexcept = default;

  const LogicalType& type() const { return type_; }
  PhysicalType physical_type() const { return physical_type_; }
  VectorKind kind() const { return kind_; }
  bool is_flat() const { return kind_ == VectorKind::kFlat; }
  bool is_constant() const { return kind_ == VectorKind::kConstant; }
  /// Whether it is a constant NULL.
  bool is_null_constant() const { return is_constant() && validity_ != nullptr && !TestValid(validity_, 0); }

  // --- Writing
  // -------------------------------------------------------------------------------------------------
  /// Makes this an empty flat vector, all valid, with memory for 1024 values that no other vector shares.
  void Reset();
  /// Releases all memory, so that its writer can reuse it. The vector becomes flat and unreadable.
  void Release();
  /// The values for writing. REQUIRES: flat or constant, after Reset().
  template <typename T>
  T* MutableData() {
    // The buffer is retained for reuse, so having one does not mean that readers see it.
    SCAUP_ASSERT((is_flat() || is_constant()) && buffer_ != nullptr && data_ == buffer_->data());
    return reinterpret_cast<T*>(buffer_->data());
  }
  /// Accounts for the string bytes of this vector in `memory` (null: not at all) from the next Reset() on,
  /// for the rest of its life. `memory` must outlive everything that shares this vector's memory.
  void AccountStrings(MemoryTracker* memory) { memory_ = memory; }
  MemoryTracker* string_memory() const { return memory_; }
  /// Marks `row` as NULL (in a constant vector: row 0). REQUIRES: after Reset().
  void SetNull(size_t row) {
    SCAUP_ASSERT((is_flat() || is_constant()) && buffer_ != nullptr && data_ != nullptr);
    SetInvalid(MutableValidity(), row);
  }
  /// The validity words for writing. All rows are valid when the words are made.
  ValidityWord* MutableValidity();
  /// Replaces the validity words. REQUIRES: flat, with own memory that no other vector sees yet, or with
  /// foreign memory.
  void SetValidity(const ValidityWord* words);
  /// Marks all values as not NULL.
  void SetAllValid() { validity_ = nullptr; }
  /// Makes row 0 the value of every row. REQUIRES: after Reset() and writing row 0.
  void SetConstant() {
    SCAUP_ASSERT(is_flat() || is_constant());
    kind_ = VectorKind::kConstant;
  }
  void SetConstantNull();
  /// Sets `row` to `value`, which must be of type(). REQUIRES: after Reset().
  void SetValue(size_t row, const Value& value);
  /// Returns a reference to the bytes; those of strings that are not inline are copied to this vector's heap.
  StringRef AddString(std::string_view bytes) {
    if (bytes.size() > StringRef::kInlineBytes) return AddLongString(bytes);
    return StringRef(bytes.data(), static_cast<uint32_t>(bytes.size()));
  }
  /// Allocates `length` bytes on this vector's heap, for the caller to fill.
  char* AllocateString(size_t length) { return reinterpret_cast<char*>(buffer_->heap().Allocate(length, 1)); }

  // --- Sharing
  // -------------------------------------------------------------------------------------------------
  /// Becomes the same column as `other` and shares its memory. The vector retains its own type, which must
  /// have the same physical type.
  void Reference(const Vector& other);
  /// Becomes a constant.
  void ReferenceValue(const Value& value);
  /// Becomes a flat view of foreign memory that `owner` keeps alive. With a null owner, the caller guarantees
  /// the lifetime.
  void ReferenceFlat(const std::byte* data, const ValidityWord* validity, std::shared_ptr<const void> owner);
  /// Becomes the dictionary vector dictionary[selection[row]]; `selection` is shared.
  void ReferenceDictionary(Dictionary dictionary, SelectionRef selection);
  /// Becomes the sequence start + row * increment.
  void MakeSequence(int64_t start, int64_t increment);
  /// Becomes the rows selection[0 .. count) of `other`, which has `other_size` rows. A constant stays
  /// constant, a dictionary's selections are composed, a sequence is computed, and a flat vector becomes a
  /// dictionary vector over its memory.
  void Slice(const Vector& other, size_t other_size, const SelectionRef& selection, size_t count);
  /// Keeps `memory` alive, too, as long as this vector, or one that references it, refers to its current
  /// values.
  void KeepAlive(std::shared_ptr<const void> memory);

  /// The owner that keeps the values of a flat or constant vector alive; null if the caller guarantees their
  /// lifetime.
  std::shared_ptr<const void> SharedMemory() const;

  // --- Reading
  // -------------------------------------------------------------------------------------------------
  /// The values. REQUIRES: flat or constant.
  template <typename T>
  const T* Data() const {
    SCAUP_ASSERT(is_flat() || is_constant());
    return reinterpret_cast<const T*>(data_);
  }
  /// The validity words; null if no value is NULL. REQUIRES: flat or constant.
  const ValidityWord* Validity() const {
    SCAUP_ASSERT(is_flat() || is_constant());
    return validity_;
  }
  /// The dictionary. REQUIRES: dictionary form.
  const Dictionary& dictionary() const {
    SCAUP_ASSERT(kind_ == VectorKind::kDictionary);
    return dictionary_;
  }
  const SelectionRef& selection() const { return selection_; }
  /// A view of the first `count` rows, whatever the form. Not const, because it flattens a sequence first.
  UnifiedView View(size_t count);
  template <typename T>
  TypedView<T> ViewAs(size_t count) {
    return View(count).As<T>();
  }
  /// Makes this flat, copying if necessary. Strings still point to the same bytes.
  void Flatten(size_t count);
  /// Makes this flat in memory of its own, so that some of its rows can be written. Strings still point to
  /// the same bytes.
  void Unshare(size_t count);
  /// One value, boxed; slow, for the edges only.
  Value GetValue(size_t row) const;

 private:
  void EnsureOwnBuffer();
  StringRef AddLongString(std::string_view bytes);

  LogicalType type_;
  PhysicalType physical_type_;
  VectorKind kind_ = VectorKind::kFlat;
  const std::byte* data_ = nullptr;         // flat and constant: the values for reading
  const ValidityWord* validity_ = nullptr;  // flat and constant
  std::shared_ptr<VectorBuffer> buffer_;    // the memory for writing; retained for reuse
  MemoryTracker* memory_ = nullptr;         // for buffers made from now on
  std::shared_ptr<const void> owner_;       // keeps values or string bytes outside buffer_ alive
  Dictionary dictionary_;
  SelectionRef selection_;
  int64_t sequence_start_ = 0;
  int64_t sequence_increment_ = 0;
};

/// Stores the value at `value`, in the layout of a flat vector (null: NULL), at `row` of the flat `target`,
/// where no NULL was set before. A string is copied into target's heap.
void PutValue(const std::byte* value, Vector& target, size_t row);
/// Copies row `source_row` of `source` to row `target_row` of the flat `target`; strings are copied to its
/// heap.
void CopyRow(const UnifiedView& source, size_t source_row, Vector& target, size_t target_row);
/// Appends rows [0, count) of `source` at `target_offset` of the flat `target`; strings are copied to its
/// heap.
void AppendVector(Vector& source, size_t count, Vector& target, size_t target_offset);
/// Combines hashes[row] with the hash of each value or, for the first key column, sets it. NULLs hash alike.
void HashVector(Vector& input, size_t count, uint64_t* hashes, bool combine);

}  // namespace scaup

// Owned: Arrow structures that release what they hold.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "scaup/arrow.h"

namespace scaup::adbc {

/// An Arrow structure, at first released. Released when it is destroyed, unless it was moved out.
template <typename Structure>
class Owned {
 public:
  Owned() = default;
  /// Moves the structure out of `*from`, which is released then.
  explicit Owned(Structure* from) : structure_(std::exchange(*from, Structure{})) {}
  ~Owned() { Release(); }
  Owned(Owned&& other) noexcept : structure_(std::exchange(other.structure_, Structure{})) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this == &other) return *this;
    Release();
    structure_ = std::exchange(other.structure_, Structure{});
    return *this;
  }

  bool is_released() const { return structure_.release == nullptr; }
  Structure* get() { return &structure_; }
  const Structure& operator*() const { return structure_; }
  Structure* operator->() { return &structure_; }
  const Structure* operator->() const { return &structure_; }
  /// Moves the structure into `*to`.
  void MoveTo(Structure* to) { *to = std::exchange(structure_, Structure{}); }
  void Release() {
    if (structure_.release != nullptr) structure_.release(&structure_);
    structure_ = Structure{};
  }

 private:
  Structure structure_{};
};

using OwnedSchema = Owned<ArrowSchema>;
using OwnedArray = Owned<ArrowArray>;
using OwnedStream = Owned<ArrowArrayStream>;

/// Returns a copy of a schema that shares nothing with it.
OwnedSchema CopyOf(const ArrowSchema& schema);

/// Makes a stream of one array, or of none if `array` is released.
OwnedStream MakeStream(OwnedSchema schema, OwnedArray array);

/// Returns the schema of a stream. Throws Error(kIo, 58030) with the stream's message if it fails.
OwnedSchema SchemaOf(OwnedStream& stream);

/// Makes a stream with other names of its columns: "1", "2", .... The columns of a table have distinct names,
/// while those of bound parameters may have any. `schema` is the type of `stream`.
OwnedStream NumberColumns(const ArrowSchema& schema, OwnedStream stream);

}  // namespace scaup::adbc

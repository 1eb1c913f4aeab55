// Casts to derived classes: the same object, and an internal error for a wrong class where that is checked.
#include "common/downcast.hpp"

#include <catch2/catch.hpp>

#include "scaup/error.hpp"

using namespace scaup;

namespace {

struct Animal {
  virtual ~Animal() = default;
};
struct Bird final : Animal {};
struct Fish final : Animal {};

}  // namespace

TEST_CASE("a downcast returns the same object, as the derived class", "[common][downcast]") {
  Bird bird;
  Animal& animal = bird;
  CHECK(&Downcast<Bird>(animal) == &bird);
  const Animal& constant = bird;
  CHECK(&Downcast<const Bird>(constant) == &bird);
}

#if !defined(NDEBUG) || defined(SCAUP_ASSERTIONS)
TEST_CASE("a downcast to another class is an internal error", "[common][downcast]") {
  Bird bird;
  Animal& animal = bird;
  CHECK_THROWS_AS(Downcast<Fish>(animal), Error);
}
#endif

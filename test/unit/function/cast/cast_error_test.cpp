// Errors of casts over columns: the first bad row's value, NULLs never looked at, TRY_CAST.
#include "cast_fixture.hpp"

using namespace scaup;

using Form = CastFixture::Form;

TEST_CASE("the first bad row is named", "[function][cast]") {
  CastFixture fixture;
  const std::vector<Value> values = {Value::Varchar("1"), Value(LogicalType(TypeId::kVarchar)),
                                     Value::Varchar("abc"), Value::Varchar("def")};
  CHECK_FALSE(fixture.Cast(values, TypeId::kVarchar, TypeId::kInteger, Form::kFlat, false));
  CHECK(fixture.error == "invalid input syntax for type integer: \"abc\"");
  CHECK_FALSE(fixture.Cast({Value::Integer(1), Value::Integer(300)}, TypeId::kInteger, TypeId::kTinyInt,
                           Form::kFlat, false));
  CHECK(fixture.error == "tinyint out of range: 300");
  CHECK_FALSE(
      fixture.Cast({Value::Integer(300)}, TypeId::kInteger, TypeId::kTinyInt, Form::kConstant, false));
  CHECK(fixture.error == "tinyint out of range: 300");
}

TEST_CASE("TRY_CAST gives NULL", "[function][cast]") {
  CastFixture fixture;
  for (const Form form : CastFixture::kForms) {
    const auto result = fixture.Cast({Value::Varchar("abc"), Value::Varchar("7")}, TypeId::kVarchar,
                                     TypeId::kInteger, form, true);
    REQUIRE(result);
    CHECK((*result)[0].is_null());
    if (form != Form::kConstant) CHECK((*result)[1] == Value::Integer(7));
  }
}

TEST_CASE("what lies under a NULL does not matter", "[function][cast]") {
  CastFixture fixture;
  Vector source((LogicalType(TypeId::kBigInt)));
  source.Reset();
  for (size_t i = 0; i < 100; i++)
    source.MutableData<int64_t>()[i] = i % 2 == 0 ? static_cast<int64_t>(i) : INT64_MIN;
  for (size_t i = 1; i < 100; i += 2) source.SetNull(i);
  for (const LogicalType& to :
       {LogicalType(TypeId::kTinyInt), LogicalType::Decimal(4, 2), LogicalType::Decimal(30, 2)}) {
    Vector result(to);
    result.Reset();
    FindCast(TypeId::kBigInt, to)->kernel(CastCall{fixture.context, source.type(), to}, source, 100, result);
    for (size_t i = 0; i < 100; i++) CHECK(result.GetValue(i).is_null() == (i % 2 == 1));
  }
}

TEST_CASE("a bad dictionary entry that no row uses does no harm", "[function][cast]") {
  CastFixture fixture;
  auto child = std::make_shared<Vector>(LogicalType(TypeId::kVarchar));
  child->Reset();
  child->SetValue(0, Value::Varchar("12"));
  child->SetValue(1, Value::Varchar("not a number"));
  auto selection = std::make_shared<SelectionVector>();
  for (size_t i = 0; i < 10; i++) selection->rows[i] = 0;
  Vector source((LogicalType(TypeId::kVarchar)));
  source.ReferenceDictionary({child->Data<std::byte>(), nullptr, 2, child, true}, selection);
  Vector result((LogicalType(TypeId::kInteger)));
  result.Reset();
  FindCast(TypeId::kVarchar, TypeId::kInteger)
      ->kernel(CastCall{fixture.context, source.type(), result.type()}, source, 10, result);
  for (size_t i = 0; i < 10; i++) CHECK(result.GetValue(i) == Value::Integer(12));
}

TEST_CASE("a small dictionary stays one, sequences and NULL constants are read", "[function][cast]") {
  CastFixture fixture;
  auto child = std::make_shared<Vector>(LogicalType(TypeId::kDate));
  child->Reset();
  for (size_t i = 0; i < 4; i++) child->SetValue(i, Value::Date(static_cast<int32_t>(i)));
  auto selection = std::make_shared<SelectionVector>();
  for (size_t i = 0; i < 100; i++) selection->rows[i] = static_cast<sel_t>(i % 4);
  Vector dates((LogicalType(TypeId::kDate)));
  dates.ReferenceDictionary({child->Data<std::byte>(), nullptr, 4, child, true}, selection);
  Vector texts((LogicalType(TypeId::kVarchar)));
  texts.Reset();
  FindCast(TypeId::kDate, TypeId::kVarchar)
      ->kernel(CastCall{fixture.context, dates.type(), texts.type()}, dates, 100, texts);
  CHECK(texts.kind() == VectorKind::kDictionary);
  CHECK(texts.GetValue(5) == Value::Varchar("1970-01-02"));

  Vector sequence((LogicalType(TypeId::kBigInt)));
  sequence.MakeSequence(100, 3);
  Vector integers((LogicalType(TypeId::kInteger)));
  integers.Reset();
  FindCast(TypeId::kBigInt, TypeId::kInteger)
      ->kernel(CastCall{fixture.context, sequence.type(), integers.type()}, sequence, 1024, integers);
  CHECK(integers.GetValue(1023) == Value::Integer(100 + 3 * 1023));

  Vector nothing((Value()));
  integers.Reset();
  FindCast(TypeId::kNull, TypeId::kInteger)
      ->kernel(CastCall{fixture.context, nothing.type(), integers.type()}, nothing, 5, integers);
  CHECK(integers.is_null_constant());
}

TEST_CASE("casts that SQL lacks are not found", "[function][cast]") {
  CHECK_FALSE(FindCast(TypeId::kDate, TypeId::kInteger));
  CHECK_FALSE(FindCast(TypeId::kBoolean, TypeId::kDouble));
  CHECK_FALSE(FindCast(TypeId::kBlob, TypeId::kInteger));
  CHECK_FALSE(FindCast(TypeId::kTime, TypeId::kTimestamp));
  CHECK_FALSE(FindCast(TypeId::kInteger, TypeId::kNull));
}

// Numbers (OIDs) for what the catalog has: pg_catalog's relations and functions refer to things by them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "function/database_listing.hpp"

namespace scaup {

enum class PgObjectKind : char {
  kSchema = 'n',
  kTable = 'r',
  kView = 'v',
  kIndex = 'i',
  kSequence = 'S',
  kConstraint = 'c',
  kDefault = 'd',
  kType = 'T',  ///< an enum
  kTypeList = 'A',
  kLabel = 'e'
};

/// The columns of pg_type and pg_attribute for a type.
struct PgTypeSummary {
  int64_t oid;
  int16_t length;
};

/// The objects of the catalog, each with its number: made of its kind and name, so that it is the same in
/// every statement as long as nothing is renamed.
class PgObjects {
 public:
  explicit PgObjects(const DatabaseListing& listing);

  /// `owner` is the table of a constraint or default, the enum of a label, "" of others.
  int64_t Oid(PgObjectKind kind, std::string_view schema, std::string_view name,
              std::string_view owner = "") const;
  const std::vector<std::string>& schemas() const { return schemas_; }
  const std::vector<TableListing>& tables() const { return tables_; }
  const std::vector<ViewListing>& views() const { return views_; }
  const std::vector<SequenceListing>& sequences() const { return sequences_; }
  const std::vector<TypeListing>& types() const { return types_; }
  /// That of a built-in type, of an enum or a list of one.
  PgTypeSummary TypeOf(const LogicalType& type) const;
  /// The enum, or list of one, with this number as SQL has it; nullopt if there is none.
  std::optional<std::string> TypeName(int64_t oid) const;

 private:
  void Register(PgObjectKind kind, std::string_view schema, std::string_view name,
                std::string_view owner = "");

  std::vector<std::string> schemas_;
  std::vector<TableListing> tables_;
  std::vector<ViewListing> views_;
  std::vector<SequenceListing> sequences_;
  std::vector<TypeListing> types_;
  std::map<std::string, int64_t> oids_;
  std::map<int64_t, std::string> names_;
};

/// The numbers of pg_class, pg_constraint, pg_namespace and pg_type, by which comments say of what kind their
/// object is.
inline constexpr int64_t kPgClassOid = 1259;
inline constexpr int64_t kPgConstraintOid = 2606;
inline constexpr int64_t kPgNamespaceOid = 2615;
inline constexpr int64_t kPgTypeOid = 1247;

/// A comment: a row of pg_description.
struct PgDescription {
  int64_t oid;
  int64_t class_oid;  ///< of the relation that lists what the comment is on
  int64_t column;     ///< from 1; 0: on the whole
  std::string text;
};
std::vector<PgDescription> PgDescriptions(const DatabaseListing& listing);
/// The enum that a type is, or that a list has for elements; null for all others.
const TypeListing* FindEnum(const std::vector<TypeListing>& types, const LogicalType& type);

/// The only role and the only database.
inline constexpr int64_t kPgOwnerOid = 10;
inline constexpr int64_t kPgDatabaseOid = 1;
/// How long a value of an enum is.
inline constexpr int16_t kPgEnumBytes = 2;

/// "PRIMARY KEY (a, b)", "CHECK (a > 0)", "FOREIGN KEY (a) REFERENCES t(b) ON DELETE CASCADE".
std::string ConstraintDefinition(const ConstraintListing& constraint);

}  // namespace scaup

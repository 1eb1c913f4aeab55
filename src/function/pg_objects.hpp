// Object numbers (OIDs) of catalog objects, by which pg_catalog's relations and functions refer to them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "function/database_listing.hpp"

namespace scaup {

enum class PgObjectKind : char {
  kSchema = 'n',
  kTable = 'r',
  kView = 'v',
  kRule = 'R',  ///< of a view
  kIndex = 'i',
  kSequence = 'S',
  kConstraint = 'c',
  kDefault = 'd',
  kType = 'T',  ///< an enum or a domain
  kTypeList = 'A',
  kLabel = 'e',
  kFunction = 'f',
  kTrigger = 't',  ///< of a table
  kLanguage = 'l'  ///< of the program, which runs functions in it
};

/// The columns of pg_type and pg_attribute for a type.
struct PgTypeSummary {
  int64_t oid;
  int16_t length;
};

/// The objects of the catalog with their OIDs. An OID is derived from the object's kind and name, so it is
/// the same in every statement until the object is renamed.
class PgObjects {
 public:
  explicit PgObjects(const DatabaseListing& listing);

  /// `owner` is the table of a constraint, default or trigger, or the enum of a label; otherwise "".
  int64_t Oid(PgObjectKind kind, std::string_view schema, std::string_view name,
              std::string_view owner = "") const;
  const std::vector<std::string>& schemas() const { return schemas_; }
  /// The schemas in which names without one are looked up, in this order.
  const std::vector<std::string>& searched() const { return searched_; }
  const std::vector<TableListing>& tables() const { return tables_; }
  const std::vector<ViewListing>& views() const { return views_; }
  const std::vector<SequenceListing>& sequences() const { return sequences_; }
  const std::vector<TypeListing>& types() const { return types_; }
  const std::vector<DomainListing>& domains() const { return domains_; }
  const std::vector<FunctionListing>& functions() const { return functions_; }
  /// The languages of the program in which functions are written.
  const std::set<std::string>& hosted_languages() const { return hosted_languages_; }
  /// The entry of a built-in type, of an enum, or of a list of an enum.
  PgTypeSummary TypeOf(const LogicalType& type) const;
  /// The entry of a column's type, which may be a domain.
  PgTypeSummary TypeOf(const ColumnListing& column) const;
  /// The SQL name of the enum, list of an enum or domain with this OID; nullopt if there is none.
  std::optional<std::string> TypeName(int64_t oid) const;

 private:
  void Register(PgObjectKind kind, std::string_view schema, std::string_view name,
                std::string_view owner = "");

  std::vector<std::string> schemas_;
  std::vector<std::string> searched_;
  std::vector<TableListing> tables_;
  std::vector<ViewListing> views_;
  std::vector<SequenceListing> sequences_;
  std::vector<TypeListing> types_;
  std::vector<DomainListing> domains_;
  std::vector<FunctionListing> functions_;
  std::set<std::string> hosted_languages_;
  std::map<std::string, int64_t> oids_;
  std::map<int64_t, std::string> names_;
};

/// The OIDs of pg_class, pg_constraint, pg_namespace and pg_type, which identify the kind of a comment's
/// object.
inline constexpr int64_t kPgClassOid = 1259;
inline constexpr int64_t kPgConstraintOid = 2606;
inline constexpr int64_t kPgNamespaceOid = 2615;
inline constexpr int64_t kPgTypeOid = 1247;
inline constexpr int64_t kPgProcOid = 1255;
inline constexpr int64_t kPgTriggerOid = 2620;
/// The OID of the type `trigger`, which only functions return.
inline constexpr int64_t kPgTriggerTypeOid = 2279;

/// A comment: a row of pg_description.
struct PgDescription {
  int64_t oid;
  int64_t class_oid;  ///< of the relation that lists the commented object
  int64_t column;     ///< from 1; 0 for the object as a whole
  std::string text;
};
std::vector<PgDescription> PgDescriptions(const DatabaseListing& listing);
/// The enum of a type, or of the elements of a list type; null for all other types.
const TypeListing* FindEnum(const std::vector<TypeListing>& types, const LogicalType& type);

/// The OIDs of the only role and the only database.
inline constexpr int64_t kPgOwnerOid = 10;
inline constexpr int64_t kPgDatabaseOid = 1;
inline constexpr const char* kPgOwner = "scaup";
/// PostgreSQL's OIDs of the default tablespace, of the access methods heap and btree, of the class of
/// operators that stands for all, and of the language SQL.
inline constexpr int64_t kPgTablespaceOid = 1663;
inline constexpr int64_t kPgTableMethodOid = 2;
inline constexpr int64_t kPgIndexMethodOid = 403;
inline constexpr int64_t kPgOperatorClassOid = 1978;
inline constexpr int64_t kPgSqlLanguageOid = 14;
/// The size of a value of an enum type.
inline constexpr int16_t kPgEnumBytes = 2;

/// Returns "CREATE INDEX i ON main.t USING btree (a, b)".
std::string IndexDefinition(const TableListing& table, const IndexListing& index);
/// Returns what an index is over at a column, from 1: its name, or the SQL of an expression.
std::string IndexKeyText(const IndexListing& index, size_t number);
/// Returns "PRIMARY KEY (a, b)", "CHECK (a > 0)", "FOREIGN KEY (a) REFERENCES t(b) ON DELETE CASCADE".
std::string ConstraintDefinition(const PgObjects& objects, const ConstraintListing& constraint);

}  // namespace scaup

// The SQLSTATE codes that Scaup raises, under PostgreSQL's names.
#pragma once

namespace scaup::sqlstate {

inline constexpr const char* kFeatureNotSupported = "0A000";
inline constexpr const char* kCardinalityViolation = "21000";
inline constexpr const char* kSequenceLimitExceeded = "2200H";
inline constexpr const char* kStringTruncation = "22001";
inline constexpr const char* kNullValueNotAllowed = "22004";
inline constexpr const char* kNumericOutOfRange = "22003";
inline constexpr const char* kInvalidDatetimeFormat = "22007";
inline constexpr const char* kDatetimeOverflow = "22008";
inline constexpr const char* kDivisionByZero = "22012";
inline constexpr const char* kInvalidFrameOffset = "22013";
inline constexpr const char* kInvalidNtileArgument = "22014";
inline constexpr const char* kInvalidNthValueArgument = "22016";
inline constexpr const char* kInvalidParameterValue = "22023";
inline constexpr const char* kInvalidEscapeSequence = "22025";
inline constexpr const char* kArrayElementError = "2202E";
inline constexpr const char* kInvalidTextRepresentation = "22P02";
inline constexpr const char* kBadCopyFileFormat = "22P04";
inline constexpr const char* kUntranslatableCharacter = "22P05";
inline constexpr const char* kCharacterNotInRepertoire = "22021";
inline constexpr const char* kNotNullViolation = "23502";
inline constexpr const char* kForeignKeyViolation = "23503";
inline constexpr const char* kUniqueViolation = "23505";
inline constexpr const char* kCheckViolation = "23514";
inline constexpr const char* kActiveTransaction = "25001";
inline constexpr const char* kReadOnlyTransaction = "25006";
inline constexpr const char* kInFailedTransaction = "25P02";
inline constexpr const char* kInvalidSchemaName = "3F000";
inline constexpr const char* kSerializationFailure = "40001";
inline constexpr const char* kSyntaxError = "42601";
inline constexpr const char* kUndefinedColumn = "42703";
inline constexpr const char* kAmbiguousColumn = "42702";
inline constexpr const char* kUndefinedTable = "42P01";
inline constexpr const char* kUndefinedFunction = "42883";
inline constexpr const char* kUndefinedObject = "42704";
inline constexpr const char* kUndefinedParameter = "42P02";
inline constexpr const char* kDuplicateTable = "42P07";
inline constexpr const char* kDuplicateSchema = "42P06";
inline constexpr const char* kDuplicateColumn = "42701";
inline constexpr const char* kInvalidName = "42602";
inline constexpr const char* kDuplicateObject = "42710";
inline constexpr const char* kGeneratedAlways = "428C9";
inline constexpr const char* kInvalidForeignKey = "42830";
inline constexpr const char* kInvalidTableDefinition = "42P16";
inline constexpr const char* kInvalidObjectDefinition = "42P17";
inline constexpr const char* kInvalidRecursion = "42P19";
inline constexpr const char* kDuplicateAlias = "42712";
inline constexpr const char* kAmbiguousAlias = "42P09";
inline constexpr const char* kDatatypeMismatch = "42804";
inline constexpr const char* kCannotCoerce = "42846";
inline constexpr const char* kGroupingError = "42803";
inline constexpr const char* kWindowingError = "42P20";
inline constexpr const char* kIndeterminateDatatype = "42P18";
inline constexpr const char* kInvalidColumnReference = "42P10";
inline constexpr const char* kWrongObjectType = "42809";
inline constexpr const char* kDependentObjects = "2BP01";
inline constexpr const char* kDiskFull = "53100";
inline constexpr const char* kOutOfMemory = "53200";
inline constexpr const char* kObjectInUse = "55006";
inline constexpr const char* kObjectNotInPrerequisiteState = "55000";
inline constexpr const char* kConfigurationLimitExceeded = "53400";
inline constexpr const char* kStatementTooComplex = "54001";
inline constexpr const char* kProgramLimitExceeded = "54000";
inline constexpr const char* kTooManyColumns = "54011";
inline constexpr const char* kTooManyArguments = "54023";
inline constexpr const char* kCantChangeRuntimeParameter = "55P02";
inline constexpr const char* kQueryCanceled = "57014";
inline constexpr const char* kIoError = "58030";
inline constexpr const char* kUndefinedFile = "58P01";
inline constexpr const char* kDuplicateFile = "58P02";
inline constexpr const char* kInternalError = "XX000";
inline constexpr const char* kDataCorrupted = "XX001";

}  // namespace scaup::sqlstate

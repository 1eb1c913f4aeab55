// The sequences that SQL texts of the catalog name: constants of nextval(), currval() and setval().
#pragma once

#include <string>
#include <vector>

#include "binder/bound/bound_definition.hpp"
#include "binder/scope/bind_session.hpp"
#include "binder/statement/catalog_texts.hpp"
#include "function/sequence_access.hpp"

namespace scaup {

/// Returns the sequences that a text names, with their schemas.
std::vector<SequenceName> SequencesIn(const std::string& text);
/// Returns whether a text that is bound now names a temporary sequence.
bool NamesTemporarySequence(const BinderContext& context, const std::string& text);
/// Puts schemas in front of the sequences that a text names without one: the temporary schema, if it has the
/// sequence and the text is that of a temporary relation, or else the default schema. The text then means the
/// same whatever temporary sequences there are.
std::string WithSequenceSchemas(const BinderContext& context, const std::string& text, bool is_temporary);
/// Puts schemas in front of the sequences that a text names without one and that the search path finds
/// outside of the default schema. Throws Error(kCatalog, 42P01) if it finds none.
std::string WithSequencesOfPath(const BinderContext& context, const std::string& text);
/// Returns the text with the name that a sequence has in another schema.
std::string WithMovedSequence(const std::string& text, const SequenceEntry& sequence,
                              const std::string& schema);
/// Throws Error(kCatalog, 42P01) at `position` if a sequence does not exist, and 42809 if its name is
/// something else's.
void CheckSequencesExist(const BinderContext& context, const std::vector<SequenceName>& names,
                         size_t position);
/// Returns the defaults and views that name one of the sequences, which have been dropped or will be.
std::vector<BrokenText> FindTextsNaming(const BinderContext& context,
                                        const std::vector<SequenceName>& sequences);
/// Gives the tables and views whose texts name the old sequence new versions, which name the new one.
void RenameSequenceInTexts(const BinderContext& context, BoundAlterSequence& alter);

}  // namespace scaup

// One finding in at most 12 lines (matrix.md section 5). A pure function of the database.
#pragma once

#include <optional>
#include <string>

#include "db/database.h"

namespace neuroncheck {

// By the beginning of a case id: of the minimal case of a finding or of any stored case that did not pass. The newest run first.
// Throws UserError when there is none.
std::string finding_text(const Database& database, const std::string& case_id);

struct StoredCase {
  std::string json;                 // canonical
  std::string target, fault, path;  // of the newest run that met it, on the path that fared worst there; empty when none is known
};

// By the beginning of its id; nothing when it is unknown. Throws UserError when several begin so.
std::optional<StoredCase> stored_case(const Database& database, const std::string& case_id);

}  // namespace neuroncheck

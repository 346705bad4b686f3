// What one sees at the end of a run: at most 25 lines of 80 columns (matrix.md section 5). A pure function of the database.
#pragma once

#include <cstdint>
#include <string>

#include "db/database.h"

namespace neuroncheck {

std::string first_screen(const Database& database, std::int64_t run);
std::string first_screen_json(const Database& database, std::int64_t run);  // the same facts, one object, "schema": 1

}  // namespace neuroncheck

#include "db/fingerprint.h"

#include <xxhash.h>

#include "harness/json_fields.h"

namespace neuroncheck {

std::string fingerprint(const nlohmann::json& json) {
  const std::string bytes = dump(json);
  return hex_of(XXH64(bytes.data(), bytes.size(), 0));
}

}  // namespace neuroncheck

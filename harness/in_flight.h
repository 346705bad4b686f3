// What each worker is doing right now, in a memory-mapped file beside the database: it survives any death of worker or driver, so that the
// announced case and stage get the blame. One fixed-size slot per worker; only that worker writes to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace neuroncheck {

enum class Stage : std::uint8_t { idle, opening, draw, structure, reference, subject, batch, judge };
std::string_view name_of(Stage stage);

struct InFlight {
  std::uint64_t beats = 0;  // grows with every announcement: a worker whose beats stand still is hanging
  Stage stage = Stage::idle;
  std::uint8_t path = 0;  // of the subject stages
  std::int64_t n = 0;     // the case; the first of the batch
  std::string row;
};

class InFlightFile {
 public:
  // Creates or opens the file with room for `slots` workers; throws UserError when it cannot be written.
  InFlightFile(const std::filesystem::path& file, int slots);
  ~InFlightFile();
  InFlightFile(const InFlightFile&) = delete;
  InFlightFile& operator=(const InFlightFile&) = delete;

  void announce(int slot, const InFlight& what);  // beats are counted here
  InFlight read(int slot) const;

 private:
  struct Slot;
  Slot* slots_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace neuroncheck

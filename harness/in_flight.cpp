#include "harness/in_flight.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "harness/enum_names.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

constexpr std::array kStageNames = {EnumName<Stage>{Stage::idle, "idle"},           EnumName<Stage>{Stage::opening, "opening"},
                                    EnumName<Stage>{Stage::draw, "draw"},           EnumName<Stage>{Stage::structure, "structure"},
                                    EnumName<Stage>{Stage::reference, "reference"}, EnumName<Stage>{Stage::subject, "subject"},
                                    EnumName<Stage>{Stage::batch, "batch"},         EnumName<Stage>{Stage::judge, "judge"}};

}  // namespace

std::string_view name_of(Stage stage) { return find_name(kStageNames, stage); }

struct InFlightFile::Slot {
  std::atomic<std::uint64_t> beats;
  std::int64_t n;
  Stage stage;
  std::uint8_t path;
  std::uint8_t row_length;
  char row[229];
};

InFlightFile::InFlightFile(const std::filesystem::path& file, int slots) : bytes_(sizeof(Slot) * static_cast<std::size_t>(slots)) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    throw UserError(fmt::format("{}: cannot be written ({}): choose another folder with --db", file.string(), std::strerror(errno)));
  }
  struct stat status {};
  const bool too_small = ::fstat(descriptor, &status) == 0 && static_cast<std::size_t>(status.st_size) < bytes_;
  if (too_small && ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes_)) != 0) {
    ::close(descriptor);
    throw UserError(fmt::format("{}: no room for {} bytes: free disk space or choose another folder with --db", file.string(), bytes_));
  }
  void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (memory == MAP_FAILED) throw UserError(fmt::format("{}: cannot be mapped ({})", file.string(), std::strerror(errno)));
  slots_ = static_cast<Slot*>(memory);
}

InFlightFile::~InFlightFile() { ::munmap(slots_, bytes_); }

void InFlightFile::announce(int slot, const InFlight& what) {
  Slot& target = slots_[slot];
  target.n = what.n;
  target.stage = what.stage;
  target.path = what.path;
  target.row_length = static_cast<std::uint8_t>(std::min(what.row.size(), sizeof(target.row)));
  std::memcpy(target.row, what.row.data(), target.row_length);
  target.beats.fetch_add(1, std::memory_order_release);
}

InFlight InFlightFile::read(int slot) const {
  const Slot& source = slots_[slot];
  InFlight what;
  what.beats = source.beats.load(std::memory_order_acquire);
  what.stage = source.stage;
  what.path = source.path;
  what.n = source.n;
  what.row.assign(source.row, source.row_length);
  return what;
}

}  // namespace neuroncheck

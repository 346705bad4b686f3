# Shared by the scripts of this folder (sourced): where things lie, progress, logs. Exit codes: 2 bad usage, 4 environment not usable.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
choice=build/neuroncheck-setup  # CMake cache variables: the interpreter and the target; written by ci/setup
logs=build/log
mkdir -p "$logs"
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1  # a clone in another folder finds the same objects
cores=$(nproc)
running=
stop_running() {
  if [[ -n $running ]]; then
    kill -- "-$running" 2>/dev/null || kill "$running" 2>/dev/null || true
    wait "$running" 2>/dev/null || true
  fi
}
trap 'stop_running; echo "interrupted; the same command goes on where it stopped" >&2; exit 130' INT TERM

fail() {  # fail CODE LINE...
  local code=$1
  shift
  printf '%s\n' "$@" >&2
  exit "$code"
}

# step NAME COMMAND...: runs it with its output in build/log/NAME.log; shows progress; on failure the end of the log. Returns the command's status.
step() {
  local name=$1 log=$logs/${1// /-}.log started=$SECONDS status=0 shown=0
  shift
  set -m  # a process group of its own, so that Ctrl-C here ends all of it
  "$@" >"$log" 2>&1 </dev/null &
  running=$!
  set +m
  while kill -0 "$running" 2>/dev/null; do
    sleep 0.2
    show_progress
  done
  wait "$running" || status=$?
  running=
  [[ -t 1 ]] && printf '\r\033[K'
  if ((status == 0)); then
    echo "$name: done in $((SECONDS - started)) s"
  else
    echo "$name: failed ($status) after $((SECONDS - started)) s; the end of $log:"
    tail -n 40 "$log"
  fi
  return "$status"
}

# On a terminal one line that is overwritten, else a line every 30 seconds. Reads the variables of step.
show_progress() {
  local elapsed=$((SECONDS - started)) last
  if [[ -t 1 ]]; then
    last=$(tail -n 1 "$log" | tr -d '\r' | cut -c1-60)
    printf '\r\033[K%s: %d s  %s' "$name" "$elapsed" "$last"
  elif ((elapsed >= shown + 30)); then
    shown=$elapsed
    echo "$name: $elapsed s  $(tail -n 1 "$log" | tr -d '\r' | cut -c1-100)"
  fi
}

# value_of NAME: the cache variable in the choice of ci/setup.
value_of() { sed -n "s/^set($1 \"\(.*\)\" CACHE .*/\1/p" "$choice" 2>/dev/null || true; }

ask() {  # ask QUESTION: true at once with --yes or in CI
  [[ $assume_yes == yes ]] && return 0
  [[ -t 0 ]] || fail 4 "no terminal to ask on: call it again with --yes"
  local answer
  read -r -p "$1 [y/N] " answer
  [[ $answer == [yY]* ]]
}

assume_yes=no
[[ -n ${CI:-} ]] && assume_yes=yes

only_yes() {  # only_yes USAGE ARGUMENTS...: for scripts that take --yes alone
  local usage=$1 argument
  shift
  for argument in "$@"; do
    case $argument in
      --yes) assume_yes=yes ;;
      -h | --help) echo "$usage"; exit 0 ;;
      *) fail 2 "unknown argument $argument" "$usage" ;;
    esac
  done
}

# set_up_and_build [TARGET...]: what all the bigger scripts begin with; all targets when none is named.
set_up_and_build() {
  local setup=(ci/setup)
  [[ $assume_yes == yes ]] && setup+=(--yes)
  "${setup[@]}"
  ci/build default "$@"
}

# Shards and jobs of the conformance tests: what the build folder was configured with, else this machine's cores.
device_cores() {
  local configured
  configured=$(sed -n 's/^NEURONCHECK_CORES:STRING=//p' build/CMakeCache.txt)
  echo "${configured:-$cores}"
}

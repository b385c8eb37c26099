# shellcheck shell=bash
# Sourced by the scripts beside this folder: where things are, and how they speak.

export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
scripts=$root/scripts
# shellcheck disable=SC2034 # read by those that build
builds=${STRATA_BUILD_DIR:-$root/build}
cache=${XDG_CACHE_HOME:-${HOME:?neither HOME nor XDG_CACHE_HOME is set}/.cache}/strata
script=${0##*/}

say() { printf '%s: %s\n' "$script" "$*" >&2; }

die() {
  say "$@"
  exit 1
}

# nanoseconds: of the clock. Not EPOCHREALTIME: the bash of RHEL 8 and SLES 15, 4.4, has none.
nanoseconds() { date +%s%N; }

# seconds_since NANOSECONDS: "12.3 s"
seconds_since() {
  local tenths=$((($(nanoseconds) - $1) / 100000000))
  printf '%d.%d s' $((tenths / 10)) $((tenths % 10))
}

# cpus: how many this process may use, by its affinity and its container's quota.
cpus() {
  local count quota period
  count=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc) # which heeds these two
  if read -r quota period 2>/dev/null </sys/fs/cgroup/cpu.max && [[ $quota != max ]]; then
    quota=$(((quota + period - 1) / period))
    count=$((quota < count ? quota : count))
  fi
  echo "$count"
}

# run_python LEVEL [ARGUMENT]...: becomes the Python that setup makes ready for the level.
run_python() {
  local level=$1 facts
  shift
  facts=$("$scripts/setup" --quiet --print-env "$level") || exit 1
  eval "$facts"
  PYTHONPATH=$scripts${PYTHONPATH:+:$PYTHONPATH} exec "$STRATA_PYTHON" "$@"
}

# step TEXT COMMAND...: runs the command, says so in one line with the time it took, and
# shows the end of its output only when it fails. The command must not rely on `set -e`.
step() {
  local text=$1 start log
  shift
  start=$(nanoseconds)
  log=$(mktemp "${TMPDIR:-/tmp}/strata-log.XXXXXX")
  printf '%s: %s ... ' "$script" "$text" >&2
  if "$@" >"$log" 2>&1 </dev/null; then
    seconds_since "$start" >&2
    printf '\n' >&2
    rm -f "$log"
  else
    printf 'failed after %s; the end of its output:\n' "$(seconds_since "$start")" >&2
    tail -n 60 "$log" >&2
    say "the whole of it is in $log"
    return 1
  fi
}

lock_timeout_s=1800

# locked NAME: waits until no other clone makes the same thing; held until this script ends. It
# fails, with the reason said, where files cannot be locked: without flock, or on a network file
# system without locks. What is made may then be made twice at once.
locked() {
  local file=$cache/$1.lock code=0 holder
  if ! mkdir -p "$cache" || ! exec {lock}<>"$file"; then
    die "$file cannot be written; set XDG_CACHE_HOME to a folder that can"
  fi
  flock --timeout "$lock_timeout_s" --conflict-exit-code 75 "$lock" || code=$?
  case $code in
    0) printf 'process %d on %s\n' "$$" "$HOSTNAME" >"$file" ;;
    75)
      holder=$(<"$file")
      die "${holder:-another setup} has held $file for more than $lock_timeout_s s;" \
        "wait for it, or end it if it hangs"
      ;;
    *)
      say "$file cannot be locked (flock ends with exit code $code; its words are above);" \
        "going on without: start no other setup meanwhile"
      return 1
      ;;
  esac
}

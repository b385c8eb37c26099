# shellcheck shell=bash
# Sourced by setup: the Python that the tools run with. Virtual environments in the cache, named
# by what is in them, so that every clone shares them. Where there is none yet, running a suite
# is content with any Python that has PyYAML.

pythons=(python3 python3.{14,13,12,11,10,9} /usr/bin/python3) # the first that will do

# first_python WORDS: prints the path of the first whose program of these words ends well.
first_python() {
  local candidate
  for candidate in "${pythons[@]}"; do
    if "$candidate" -c "$1" 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

# Sets base_python to one that can make virtual environments.
python_is_possible() {
  base_python=$(first_python \
    'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))') && return
  suite_python >/dev/null && ! needs_packages "${levels[@]}"
}

# needs_packages LEVEL...: whether any of them takes more than PyYAML.
needs_packages() { [[ " $* " =~ \ (report|test|lint)\  ]]; }

suite_python() { first_python 'import sys, yaml; sys.exit(sys.version_info < (3, 9))'; }

# packages_for LEVEL...: prints the files that list what the levels take.
packages_for() {
  printf '%s\n' "$scripts/requirements/report.txt"
  [[ ! " $* " =~ \ (test|lint)\  ]] ||
    printf '%s\n' "$scripts"/requirements/{harness,develop}.txt
}

# find_environment LEVEL...: sets environment to the folder of that which the levels take, and
# python to its Python; fails where it is not there.
find_environment() {
  local key lists
  readarray -t lists < <(packages_for "$@")
  key=$({ cat "${lists[@]}" && "$base_python" -c 'import sys; print(sys.executable, sys.version)'; } |
    sha256sum | cut -c 1-12)
  environment=$cache/python-$key
  python=$environment/bin/python
  [[ -e $environment/complete && -x $python ]]
}

# ensure_python LEVEL...: sets python. An environment with more in it will do, too.
ensure_python() {
  if [[ -n ${base_python:-} ]]; then
    ! find_environment test || return 0
    ! find_environment "$@" || return 0
  fi
  if ! needs_packages "$@" && python=$(suite_python); then
    return
  fi
  locked python || true # two at once are what was warned of
  ! find_environment "$@" || return 0
  step "make the Python environment" make_environment "$@" || exit 1
}

# make_environment LEVEL...: from the package registry that pip is set to, or from a folder of
# wheels alone.
make_environment() {
  local lists options=()
  readarray -t lists < <(packages_for "$@")
  [[ -z ${STRATA_WHEELS:-} ]] || options=(--no-index --find-links "$STRATA_WHEELS")
  rm -rf "$environment"
  "$base_python" -m venv "$environment" &&
    "$python" -m pip install --quiet --disable-pip-version-check "${options[@]}" \
      "${lists[@]/#/--requirement=}" &&
    touch "$environment/complete"
}

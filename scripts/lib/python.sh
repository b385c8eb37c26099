# shellcheck shell=bash
# Sourced by setup: the Python that the tools run with. A virtual environment in the cache,
# named by what is in it, so that every clone shares it. Where there is none yet, running
# a suite is content with any Python that has PyYAML.

requirements=$scripts/requirements.txt

# Sets base_python to one that can make virtual environments.
python_is_possible() {
  local candidate
  for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))' \
      2>/dev/null; then
      base_python=$candidate
      return 0
    fi
  done
  suite_python >/dev/null && ! needs_packages "${levels[@]}"
}

# needs_packages LEVEL...: whether any of them takes more than PyYAML.
needs_packages() { [[ " $* " =~ \ (report|test|lint)\  ]]; }

suite_python() {
  local candidate
  for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import sys, yaml; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  return 1
}

# ensure_python LEVEL...: sets python.
ensure_python() {
  local key environment
  if [[ -n ${base_python:-} ]]; then
    key=$({ cat "$requirements" && "$base_python" -c 'import sys; print(sys.executable, sys.version)'; } |
      sha256sum | cut -c 1-12)
    environment=$cache/python-$key
    python=$environment/bin/python
    [[ ! -e $environment/complete || ! -x $python ]] || return 0
  fi
  if ! needs_packages "$@" && python=$(suite_python); then
    return
  fi
  locked python || true # two at once are what was warned of
  python=$environment/bin/python
  [[ ! -e $environment/complete || ! -x $python ]] || return 0
  step "make the Python environment" make_environment "$environment" || exit 1
}

make_environment() {
  rm -rf "$1"
  "$base_python" -m venv "$1" &&
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" &&
    touch "$1/complete"
}

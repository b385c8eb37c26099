# shellcheck shell=bash
# Sourced by run, test and lint: from sources to executables.

# ready LEVEL...: sets up, and takes over what setup found.
ready() {
  local facts
  facts=$("$scripts/setup" --print-env "$@") || exit 1
  eval "$facts"
}

# configure FOLDER [CMAKE OPTION]...: a folder made with another compiler, Kokkos or place
# of the sources is emptied first, since CMake cannot change those; so is one of another
# STRATA_NATIVE, which CMake would remember.
configure() {
  local folder=$1 made_with native=()
  shift
  made_with="$root $STRATA_CXX $STRATA_KOKKOS_DIR"
  if [[ ${STRATA_NATIVE:-ON} == OFF ]]; then
    made_with+=" for any processor"
    native=(-DSTRATA_NATIVE=OFF)
  fi
  if [[ -e $folder/made-with && $(<"$folder/made-with") != "$made_with" ]]; then
    rm -rf "$folder"
  fi
  mkdir -p "$folder" || die "$folder cannot be made; set STRATA_BUILD_DIR to a folder that can" \
    "be written"
  printf '%s\n' "$made_with" >"$folder/made-with"
  step "configure ${folder#"$root"/}" cmake -S "$root" -B "$folder" -G Ninja \
    -DCMAKE_CXX_COMPILER="$STRATA_CXX" -DKokkos_DIR="$STRATA_KOKKOS_DIR" \
    -DCMAKE_BUILD_TYPE=Release "${native[@]}" "$@"
}

# One compiler at a time on each CPU. Ninja starts more, and on two CPUs three at a time take up to
# 10 % longer.
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(cpus)}

# build FOLDER [TARGET]...
build() {
  local folder=$1
  shift
  step "build ${folder#"$root"/}${1:+: $*}" cmake --build "$folder" --target "${@:-all}"
}

# shellcheck shell=bash
# Sourced by setup: which Kokkos to build with. In this order: Kokkos_ROOT; what
# find_package finds; the one built here before; the distribution's package of 4 or newer;
# a build of the Kokkos in the distribution's `trilinos` source package.

# The compiler's flag for this processor; none with STRATA_NATIVE=OFF.
native_flag() {
  local flag
  [[ ${STRATA_NATIVE:-ON} == ON ]] || return 0
  for flag in -march=native -mcpu=native; do
    if "$cxx" "$flag" -E -x c++ /dev/null >/dev/null 2>&1; then
      printf '%s' "$flag"
      return
    fi
  done
}

# Everything the compiler knows of itself and, with the native flag, of this processor: a
# home folder shared between machines keeps one Kokkos for each kind. And how it is built. The
# root CMakeLists.txt knows a Kokkos for any processor by `any-`.
kokkos_key() {
  local flag
  flag=$(native_flag)
  [[ ${STRATA_NATIVE:-ON} == ON ]] || printf 'any-'
  { "$cxx" ${flag:+"$flag"} -dM -E -x c++ /dev/null && cat "$scripts/lib/kokkos_unity.cmake"; } |
    sha256sum | cut -c 1-12
}

# Sets kokkos_dir to the folder of KokkosConfig.cmake in our cache, if one is there.
find_cached_kokkos() {
  local config
  for config in "$cache"/kokkos-*-"$(kokkos_key)"/lib/cmake/Kokkos/KokkosConfig.cmake; do
    [[ -e $config ]] || continue
    kokkos_dir=${config%/*}
    [[ ${kokkos_dir#"$cache"/kokkos-} =~ ^([0-9.]+)- ]] && kokkos_version=${BASH_REMATCH[1]}
    kokkos_devices=OPENMP,SERIAL
    return 0
  done
  return 1
}

# Takes the probe's answer, if it names a Kokkos.
take_found_kokkos() {
  local word compiler
  IFS=$'\t' read -r word kokkos_dir kokkos_version kokkos_devices compiler <<<"$kokkos_answer"
  [[ $word == kokkos ]] || return 1
  if [[ -z ${CXX:-} && $kokkos_devices =~ CUDA|HIP|SYCL ]]; then
    local prefix=${kokkos_dir%/*/cmake/*}
    if [[ $kokkos_devices == *CUDA* && -x $prefix/bin/nvcc_wrapper ]]; then
      cxx=$prefix/bin/nvcc_wrapper
    elif has "$compiler"; then
      cxx=$compiler
    fi
  fi
}

packaged_kokkos_is_new() {
  has apt-cache && [[ $(apt-cache policy libkokkos-dev 2>/dev/null) =~ Candidate:\ ([0-9]+:)?([0-9]+) ]] &&
    ((BASH_REMATCH[2] >= 4))
}

kokkos_is_possible() {
  [[ $kokkos_answer == kokkos$'\t'* ]] || has apt-get || { has "$cxx" && find_cached_kokkos; }
}

# demand_kokkos: ends setup where none can be had, before anything else is made.
demand_kokkos() {
  kokkos_is_possible && return
  missing=(Kokkos)
  list_missing "no usable Kokkos (${kokkos_answer#no-kokkos }), and no source package to take:"
}

# ensure_kokkos LEVEL...: sets kokkos_dir, kokkos_version, kokkos_devices (and cxx on a GPU).
ensure_kokkos() {
  take_found_kokkos && return
  [[ -z ${Kokkos_ROOT:-} ]] ||
    die "Kokkos_ROOT is $Kokkos_ROOT, and it cannot be used: ${kokkos_answer#no-kokkos }"
  find_cached_kokkos && return
  if packaged_kokkos_is_new && may_install; then
    step "install libkokkos-dev" apt_install libkokkos-dev || exit 1
    look_for "$@"
    take_found_kokkos && return
  fi
  build_kokkos
  find_cached_kokkos || die "the Kokkos just built is not in $cache"
}

build_kokkos() {
  local work name
  ! locked kokkos || rm -rf "$cache"/kokkos-building.* # left by those that were killed
  ! find_cached_kokkos || return 0 # made by another clone while this one waited
  work=$(mktemp -d "$cache/kokkos-building.XXXXXX")
  # shellcheck disable=SC2064 # this folder, whatever the variable says later
  trap "rm -rf $(printf %q "$work")" EXIT
  step "get the source of Kokkos from the distribution" get_kokkos "$work" ||
    die "there is no Kokkos, and no source of it; ${pointers[Kokkos]}"
  name=kokkos-$(version_of_kokkos "$work/kokkos")-$(kokkos_key)
  step "build $name (once on this machine)" compile_kokkos "$work" || exit 1
  mv -T "$work/install" "$cache/$name" || find_cached_kokkos || exit 1 # the same by another
  rm -rf "$work"
  trap - EXIT
}

# Uses apt with a private list of the distribution's own source archives: the system's
# lists and settings stay as they are, and nobody needs to be root.
get_kokkos() {
  local work=$1 parts lists options
  mkdir -p "$work"/{parts,lists/partial,archives/partial,kokkos} &&
    eval "$(apt-config shell lists Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)" &&
    python3 "$scripts/lib/source_archives.py" "${lists:-}" "${parts:-}" "$work/parts" || return
  options=(-qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts"
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work" -o APT::Sandbox::User=
    -o APT::Update::Post-Invoke-Success::=true)
  apt-get "${options[@]}" update || true # one archive without sources must not end it
  (cd "$work" && apt-get "${options[@]}" source --download-only trilinos) &&
    python3 "$scripts/lib/extract_kokkos.py" "$(echo "$work"/trilinos_*.orig.tar.*[!c])" \
      "$work/kokkos" &&
    rm -f "$work"/trilinos_*
}

version_of_kokkos() {
  sed -nE 's/^ *set *\( *Kokkos_VERSION_(MAJOR|MINOR|PATCH) 0*([0-9]+).*/\2/Ip' \
    "$1/CMakeLists.txt" | head -n 3 | paste -sd .
}

# Sources compiled together take 11 s on two cores, one by one 30; a Kokkos or a compiler that
# has not been tried that way may need the latter.
compile_kokkos() {
  make_kokkos "$1" -DCMAKE_PROJECT_INCLUDE="$scripts/lib/kokkos_unity.cmake" ||
    { rm -rf "$1/build" && make_kokkos "$1"; }
}

# make_kokkos FOLDER [CMAKE OPTION]...
make_kokkos() {
  local work=$1
  shift
  cmake -S "$work/kokkos" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="$(native_flag)" \
    -DCMAKE_CXX_STANDARD=20 -DKokkos_CXX_STANDARD=20 \
    -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_SERIAL=ON \
    -DCMAKE_INSTALL_PREFIX="$work/install" -DCMAKE_INSTALL_LIBDIR=lib "$@" &&
    cmake --build "$work/build" --target install
}

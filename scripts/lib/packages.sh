# shellcheck shell=bash
# Sourced by setup: the tools and libraries the system provides. Looks first, and touches
# the package manager only for what is missing.

declare -A apt_packages=(
  [python]="python3 python3-venv"
  [c++]="g++"
  [cmake]="cmake"
  [ninja]="ninja-build"
  [MPI]="libopenmpi-dev openmpi-bin"
  [yaml-cpp]="libyaml-cpp-dev"
  [benchmark]="libbenchmark-dev"
  [GTest]="libgtest-dev"
  [clang-format-19]="clang-format-19"
  [clang-tidy-19]="clang-tidy-19"
  [omp.h]="libomp-19-dev"
  [shellcheck]="shellcheck"
  [fuzzer]="clang-19 libclang-rt-19-dev"
)
declare -A pointers=(
  [python]="put a Python of 3.9 or newer with venv on PATH, as python3 or by its version"
  [c++]="put GCC 12, Clang 16 or newer on PATH, or set CXX"
  [cmake]="put CMake 3.22 or newer on PATH"
  [ninja]="put ninja on PATH"
  [MPI]="put its mpicxx on PATH (module load ...), or set MPI_HOME"
  [yaml-cpp]="add its prefix to CMAKE_PREFIX_PATH"
  [benchmark]="Google Benchmark: add its prefix to CMAKE_PREFIX_PATH"
  [GTest]="GoogleTest: add its prefix to CMAKE_PREFIX_PATH"
  [clang-format-19]="put clang-format-19 on PATH; no other version will do"
  [clang-tidy-19]="put clang-tidy-19 on PATH; no other version will do"
  [omp.h]="install LLVM's OpenMP beside clang-tidy-19: it cannot read GCC's omp.h"
  [shellcheck]="put shellcheck on PATH"
  [fuzzer]="put clang++-19 on PATH, with LLVM's libraries for fuzzers and sanitizers"
  [Kokkos]="set Kokkos_ROOT to one of 3.4.1 or newer, built with a threaded or GPU backend"
)

# What some tests run against; they are skipped without it.
declare -A test_packages=(
  [slurmctld]="slurmctld slurmd slurm-client"
  [jube]="jube"
  [compare.py]="libbenchmark-tools"
  [mdspan]="clang-19 libc++-19-dev libc++abi-19-dev"
)

has() { command -v "$1" >/dev/null 2>&1; }

# needs_compiler LEVEL...: whether any of them builds something.
needs_compiler() {
  local level
  for level; do
    [[ $level == @(python|report) ]] || return 0
  done
  return 1
}

cmake_is_new_enough() {
  has cmake && [[ $(cmake --version | head -n 1) =~ ([0-9]+)\.([0-9]+) ]] &&
    ((BASH_REMATCH[1] * 1000 + BASH_REMATCH[2] >= 3022))
}

clang_has_openmp() {
  local tidy
  tidy=$(readlink -f "$(command -v clang-tidy-19)") &&
    [[ -e ${tidy%/bin/*}/lib/clang/19/include/omp.h ]]
}

clang_has_fuzzer() {
  printf 'extern "C" int LLVMFuzzerTestOneInput(char const*, unsigned long) { return 0; }\n' |
    clang++-19 -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null 2>/dev/null
}

# look_for LEVEL...: fills `missing`, and `kokkos_answer` with the probe's line about Kokkos.
look_for() {
  local level libraries=(MPI yaml-cpp benchmark)
  missing=()
  kokkos_answer="no-kokkos not looked for"
  python_is_possible || missing+=(python)
  needs_compiler "$@" || return 0
  has "$cxx" || missing+=(c++)
  cmake_is_new_enough || missing+=(cmake)
  has ninja || missing+=(ninja)
  local tools_missing=${#missing[@]}
  for level; do
    case $level in
      test) libraries+=(GTest) ;;
      fuzz) clang_has_fuzzer || missing+=(fuzzer) ;;
      lint)
        libraries+=(GTest)
        for tool in clang-format-19 clang-tidy-19 shellcheck; do
          has "$tool" || missing+=("$tool")
        done
        clang_has_openmp || missing+=(omp.h)
        ;;
    esac
  done
  if ((tools_missing)); then # nothing to ask with: presume that no library is there
    has mpicxx && libraries=("${libraries[@]/#MPI/}")
    for library in "${libraries[@]}"; do
      [[ -z $library ]] || missing+=("$library")
    done
  else
    ask_cmake "${libraries[@]}"
  fi
}

ask_cmake() {
  local folder line
  folder=$(mktemp -d "${TMPDIR:-/tmp}/strata-probe.XXXXXX")
  cmake -S "$scripts/lib/probe" -B "$folder/build" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" \
    -DNEEDS="$(IFS=';' && printf '%s' "$*")" -DREPORT="$folder/report" \
    >"$folder/log" 2>&1 || true
  if ! grep -qsx libraries-asked "$folder/report"; then
    tail -n 20 "$folder/log" >&2
    rm -rf "$folder"
    die "CMake cannot use the compiler '$cxx' (its words are above)"
  fi
  kokkos_answer="no-kokkos what find_package(Kokkos) finds is broken"
  while read -r line; do
    case $line in
      missing*) missing+=("${line#missing }") ;;
      *kokkos*) kokkos_answer=$line ;;
    esac
  done <"$folder/report"
  rm -rf "$folder"
}

# may_install: whether this account can install packages; `as_root` is then the way to.
may_install() {
  as_root=()
  has apt-get || return 1
  ((EUID)) || return 0
  as_root=(sudo)
  has sudo && { sudo -n true 2>/dev/null || { [[ -t 2 ]] && sudo -v; }; }
}

# apt_install PACKAGE...
apt_install() {
  # An update that fails (no network) may still leave lists that are good enough.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq || true
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes \
    --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}

list_missing() {
  local need
  say "$1"
  for need in "${missing[@]}"; do
    printf '  %-16s %s%s\n' "$need" "${pointers[$need]}" \
      "${apt_packages[$need]:+; Debian, Ubuntu: ${apt_packages[$need]}}" >&2
  done
  exit 1
}

# ensure_packages LEVEL...
ensure_packages() {
  local need packages=()
  look_for "$@"
  ((${#missing[@]})) || return 0
  if ! may_install; then
    kokkos_is_possible || missing+=(Kokkos)
    list_missing "these are missing, and this account has no way to install packages:"
  fi
  for need in "${missing[@]}"; do
    read -ra words <<<"${apt_packages[$need]}"
    packages+=("${words[@]}")
  done
  step "install ${packages[*]}" apt_install "${packages[@]}" || exit 1
  hash -r
  look_for "$@"
  ((${#missing[@]} == 0)) || list_missing "these are missing, even after installing packages:"
}

# ensure_test_packages: tries once on a machine, and never asks for a password.
ensure_test_packages() {
  local need words packages=() tried=$cache/test-packages-tried
  for need in slurmctld jube compare.py mdspan; do
    read -ra words <<<"${test_packages[$need]}"
    has "$need" || [[ -e /usr/share/benchmark/$need ]] ||
      [[ -e /usr/lib/llvm-19/include/c++/v1/$need ]] || packages+=("${words[@]}")
  done
  ((${#packages[@]})) && ! grep -qsxF "${packages[*]}" "$tried" || return 0
  ((EUID == 0)) || { has sudo && sudo -n true 2>/dev/null; } || return 0
  may_install || return 0
  mkdir -p "$cache"
  printf '%s\n' "${packages[*]}" >>"$tried"
  step "install ${packages[*]}" apt_install "${packages[@]}" ||
    say "some tests are skipped without these"
}

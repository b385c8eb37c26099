"""The recipes of packaging/: what they ask for is what the build asks for."""

from __future__ import annotations

import re
import sys
from types import ModuleType, SimpleNamespace

import pytest
from conftest import ROOT

CMAKE = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
APPS = {folder.parent.name for folder in ROOT.glob("miniapps/*/CMakeLists.txt")}
# Their names in the three worlds, by CMake's.
SPACK = {"Kokkos": "kokkos", "MPI": "mpi", "yaml-cpp": "yaml-cpp", "benchmark": "benchmark"}
EASYBUILD = {"Kokkos": "Kokkos", "yaml-cpp": "yaml-cpp", "benchmark": "googlebenchmark"}
OF_THE_SYSTEM = {"Threads"}


def needed() -> set[str]:
    """What the build of the apps cannot do without."""
    apps = CMAKE.replace("if(STRATA_TESTS)\n  find_package(GTest REQUIRED)", "")
    return {"Kokkos"} | set(re.findall(r"find_package\(([\w-]+) REQUIRED", apps))


def options() -> set[str]:
    return set(re.findall(r"option\((STRATA_\w+)", CMAKE))


@pytest.fixture
def spack(monkeypatch):
    """What the recipe says, by a stand-in for Spack's language; and its class."""
    said: dict[str, list] = {}

    def word(name):
        return lambda *values, **named: said.setdefault(name, []).append((values, named))

    package = ModuleType("spack.package")
    for name in ("license", "version", "variant", "depends_on", "conflicts", "generator"):
        setattr(package, name, word(name))
    package.CMakePackage = type(
        "CMakePackage", (), {
            "define": lambda _, name, value: f"-D{name}={value}",
            "define_from_variant": lambda _, name, variant: f"-D{name}={variant}",
        },
    )  # fmt: skip
    package.CudaPackage = type("CudaPackage", (), {"cuda_arch_values": ("90",)})
    package.ROCmPackage = type("ROCmPackage", (), {"amdgpu_targets": ("gfx942",)})
    monkeypatch.setitem(sys.modules, "spack", ModuleType("spack"))
    monkeypatch.setitem(sys.modules, "spack.package", package)
    recipe = ROOT / "packaging/spack/packages/strata/package.py"
    names: dict[str, object] = {}
    exec(compile(recipe.read_text(encoding="utf-8"), recipe, "exec"), names)
    return said, names["Strata"]


def test_every_name_has_a_package():
    assert needed() - OF_THE_SYSTEM == set(SPACK)
    assert set(EASYBUILD) == set(SPACK) - {"MPI"}, "MPI comes with EasyBuild's toolchain"


def test_spack_gets_what_the_build_needs(spack):
    said, _ = spack
    asked = [values[0] for values, _ in said["depends_on"]]
    assert set(SPACK.values()) <= {re.split("[@ ]", one)[0] for one in asked}
    assert "kokkos@3.4.1:5 +serial" in asked
    assert (
        "Kokkos_VERSION VERSION_LESS 3.4.1 OR Kokkos_VERSION VERSION_GREATER_EQUAL 6" in CMAKE
    )
    least = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", CMAKE)[1]
    assert f"cmake@{least}:" in asked


@pytest.mark.parametrize("gpu", [False, True])
def test_spack_sets_options_that_there_are(spack, gpu):
    said, recipe = spack
    made = recipe()
    kokkos = SimpleNamespace(kokkos_cxx="nvcc_wrapper")
    made.spec = type("Spec", (dict,), {"satisfies": lambda *_: gpu})(kokkos=kokkos)
    given = [re.match(r"-D(\w+)=(.*)", one).groups() for one in made.cmake_args()]
    assert {name for name, _ in given} - {"CMAKE_CXX_COMPILER"} <= options()
    assert (("CMAKE_CXX_COMPILER", "nvcc_wrapper") in given) == gpu
    variants = {values[0] for values, _ in said["variant"]}
    assert {value for name, value in given if name in options()} <= variants


def test_easybuild_gets_what_the_build_needs():
    (file,) = (ROOT / "packaging/easybuild").iterdir()
    said: dict[str, object] = {"SOURCELOWER_TAR_GZ": "strata-%(version)s.tar.gz"}
    exec(compile(file.read_text(encoding="utf-8"), file, "exec"), said)
    version = re.search(r"project\(strata VERSION ([\d.]+)", CMAKE)[1]
    assert said["version"] == version
    chain = said["toolchain"]
    assert file.name == f"Strata-{version}-{chain['name']}-{chain['version']}.eb"
    assert set(EASYBUILD.values()) <= {name for name, *_ in said["dependencies"]}
    assert set(re.findall(r"-D(\w+)=", said["configopts"])) <= options()
    files = said["sanity_check_paths"]["files"]
    assert {file.removeprefix("bin/strata-") for file in files} == APPS
    assert f"strata-{version}.tar.gz" in (ROOT / "packaging/README.md").read_text()


def test_the_container_sets_options_that_there_are():
    text = (ROOT / "packaging/container/Containerfile").read_text(encoding="utf-8")
    given = set(re.findall(r"-D(STRATA_\w+)=", text))
    assert given
    assert given <= options()
    assert "-DSTRATA_TESTS=OFF" in text, "setup for `run` brings no GoogleTest"
    assert re.search("apt-get install .* git$", text, re.MULTILINE), "records name the commit"
    printed = (ROOT / "scripts/setup").read_text(encoding="utf-8")
    for name in ("STRATA_CXX", "STRATA_KOKKOS_DIR"):
        assert f'"${name}"' in text
        assert name in printed

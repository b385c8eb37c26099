"""The recipe by which Spack builds Strata from a clone (spack develop)."""

from spack.package import *


class Strata(CMakePackage, CudaPackage, ROCmPackage):
    """Performance-portable mini-applications that tell what a machine is worth: streaming
    kernels, basis gradients, Gram-Schmidt orthogonalisation, matrix products and contact
    detection, which verify their answers and write records for comparison."""

    license("BSD-3-Clause")

    version("main")

    variant("openmp", default=True, description="Host threads by OpenMP")
    variant("native", default=True, description="Compile for the processor that builds")
    variant(
        "blas", default=True, description="Vendor variants of a host by BLAS and LAPACK"
    )
    variant("tests", default=False, description="Build the tests")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    generator("ninja")

    depends_on("mpi")
    depends_on("yaml-cpp")
    depends_on("benchmark")
    depends_on("googletest +gmock", type="build", when="+tests")
    depends_on("python@3.9:", type="run")
    depends_on("blas", when="+blas")
    depends_on("lapack", when="+blas")

    depends_on("kokkos@3.4.1:5 +serial")
    depends_on("kokkos +openmp", when="+openmp")
    depends_on("kokkos ~openmp", when="~openmp")
    depends_on("kokkos +cuda +wrapper", when="+cuda %gcc")
    depends_on("kokkos +cuda", when="+cuda")
    depends_on("kokkos +rocm", when="+rocm")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(
            f"kokkos amdgpu_target={target}", when=f"+rocm amdgpu_target={target}"
        )
    conflicts("+cuda", when="+rocm", msg="one kind of GPU at a time")

    def cmake_args(self):
        args = [
            self.define_from_variant("STRATA_NATIVE", "native"),
            self.define_from_variant("STRATA_TESTS", "tests"),
        ]
        if self.spec.satisfies("+cuda") or self.spec.satisfies("+rocm"):
            args.append(
                self.define("CMAKE_CXX_COMPILER", self.spec["kokkos"].kokkos_cxx)
            )
        return args

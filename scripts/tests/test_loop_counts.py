"""What loop_counts.py makes of a disassembly and of callgrind's file."""

from __future__ import annotations

import pytest

from loop_counts import costs, floating, flops_of

LISTING = """
strata-stream:     file format elf64-x86-64

0000000000155610 <loop>:
  155620:\tvmovupd (%rdx,%rax,8),%ymm1
  155626:\tvfmadd213pd (%rcx,%rax,8),%ymm0,%ymm1
  15562c:\tvmovupd %ymm1,(%rsi,%rax,8)
  155631:\tadd    $0x4,%rax
  155635:\taddsd  %xmm1,%xmm0
"""
PROFILE = """version: 1
positions: instr line
events: Ir Dr Dw D1mr
ob=/bin/strata-stream
fl=???
fn=loop
0x155620 0 10 10 0 3
0x155626 0 10
cob=/lib/libc.so.6
cfn=memcpy
calls=2 0x100
0x15562c 0 900 1 1
0x155635 0 1
ob=/lib/libc.so.6
fn=memcpy
0x100 0 450
"""


@pytest.mark.parametrize(
    ("text", "flops"),
    [
        ("vfmadd213pd (%rcx,%rax,8),%ymm0,%ymm1", (8, True)),
        ("vfnmsub231ps %zmm0,%zmm1,%zmm2", (32, True)),
        ("vfmadd132sd %xmm0,%xmm1,%xmm2", (2, False)),
        ("vaddps %ymm0,%ymm1,%ymm2", (8, True)),
        ("mulsd  %xmm0,%xmm1", (1, False)),
        ("divpd  %xmm0,%xmm1", (2, True)),
        ("add    $0x4,%rax", (0, False)),
        ("vpaddd %ymm0,%ymm1,%ymm2", (0, False)),
        ("vmovupd %ymm1,(%rsi)", (0, False)),
        ("vaddsubpd %ymm0,%ymm1,%ymm2", (4, True)),
    ],
)
def test_flops_of_an_instruction(text: str, flops: tuple[int, bool]) -> None:
    assert flops_of(text) == flops


def test_instructions_that_compute_are_found_by_address() -> None:
    assert floating(LISTING) == {0x155626: (8, True), 0x155635: (1, False)}


def test_costs_are_a_lines_own_and_not_of_what_it_calls() -> None:
    assert list(costs(PROFILE)) == [
        ("/bin/strata-stream", 0x155620, {"Ir": 10, "Dr": 10, "Dw": 0, "D1mr": 3}),
        ("/bin/strata-stream", 0x155626, {"Ir": 10}),
        ("/bin/strata-stream", 0x155635, {"Ir": 1}),
        ("/lib/libc.so.6", 0x100, {"Ir": 450}),
    ]

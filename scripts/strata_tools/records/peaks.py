"""Bandwidths that no run can have: what the memory of a device is clocked at.

By the maker's data sheet of each product, whose title is beside it. Processors are not in the
table: their names do not tell how many sockets and which modules a machine has.
"""

from __future__ import annotations

import re

PEAKS = (
    (r"GH200 144G", 4.9e12, "NVIDIA GH200 Grace Hopper Superchip"),
    (r"GH200", 4.0e12, "NVIDIA GH200 Grace Hopper Superchip, 96 GB"),
    (r"B200", 8.0e12, "NVIDIA Blackwell architecture"),
    (r"H200", 4.8e12, "NVIDIA H200 Tensor Core GPU"),
    (r"H100 80GB HBM3", 3.35e12, "NVIDIA H100 Tensor Core GPU, SXM"),
    (r"H100 NVL", 3.9e12, "NVIDIA H100 Tensor Core GPU, NVL"),
    (r"H100 PCIe", 2.0e12, "NVIDIA H100 PCIe GPU"),
    (r"A100.*80GB", 2.039e12, "NVIDIA A100 Tensor Core GPU, 80 GB"),
    (r"A100.*40GB", 1.555e12, "NVIDIA A100 Tensor Core GPU, 40 GB"),
    (r"V100-SXM2", 0.9e12, "NVIDIA V100 Tensor Core GPU, SXM2"),
    (r"MI325X", 6.0e12, "AMD Instinct MI325X accelerator"),
    (r"MI300[AX]", 5.3e12, "AMD Instinct MI300X, MI300A accelerators"),
    (r"MI250X?|MI210", 1.6384e12, "AMD Instinct MI200 series, for each die"),
    (r"MI100", 1.2288e12, "AMD Instinct MI100 accelerator"),
)
"""Device name (regular expression, the first that is found counts), B/s, data sheet."""
ROUNDING = 0.05
"""Data sheets round, and memory runs a little above its nominal clock: beyond it is a fault."""


def peak(device: str) -> tuple[float, str] | None:
    """B/s of one device, and whose word that is; None for a device that is not in the table."""
    for name, rate, source in PEAKS:
        if re.search(rf"\b{name}", device):
            return rate, source
    return None

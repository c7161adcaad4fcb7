"""Kernels compiled with Numba."""

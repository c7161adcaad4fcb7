"""Bots that search, on kernels compiled by Numba. Import the modules late: they load Numba."""

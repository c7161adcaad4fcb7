"""Search in imagined worlds on the fast core: the upper levels of all games but 6 nimmt!, which has its own."""

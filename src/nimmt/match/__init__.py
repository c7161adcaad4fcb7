"""Whole matches: deals that anyone can check, records that anyone can replay."""

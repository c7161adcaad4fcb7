"""Calls: telling people who are not there that it is their turn, by Web Push."""

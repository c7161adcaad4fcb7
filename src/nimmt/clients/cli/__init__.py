"""The command `nimmt`."""

from nimmt.clients.cli.main import main

__all__ = ["main"]

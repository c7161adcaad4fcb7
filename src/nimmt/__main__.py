"""`python -m nimmt` is the command `nimmt`."""

import sys

from nimmt.clients.cli import main

sys.exit(main())

"""What people type: `nimmt.Match`, `nimmt.position` and what else the top package offers. `docs/library.md` tells more.

It only makes the parts below easy to reach: the rules, the match and its record, the bots, the drawings.
"""

"""What can be said at a table with one tap: a code, which every client shows in its reader's language."""

from __future__ import annotations

from typing import Literal, TypeAlias

Phrase: TypeAlias = Literal[
    "hello",
    "good_luck",
    "well_played",
    "thanks",
    "close_call",
    "not_again",
    "sorry",
    "thinking",
    "good_game",
    "once_more",
    "clap",
    "laugh",
    "wow",
    "cry",
    "angry",
    "sleepy",
]

WORDS: dict[Phrase, str] = {
    "hello": "Hello!",
    "good_luck": "Good luck!",
    "well_played": "Well played!",
    "thanks": "Thank you!",
    "close_call": "That was close!",
    "not_again": "Not again!",
    "sorry": "Sorry!",
    "thinking": "Let me think …",
    "good_game": "Good game!",
    "once_more": "Once more?",
    "clap": "(applauds)",
    "laugh": "(laughs)",
    "wow": "(is amazed)",
    "cry": "(cries)",
    "angry": "(snorts)",
    "sleepy": "(yawns)",
}
"""For whoever knows no other language. They are kept in the log with the code, so that a message stays readable even if
its code is no longer offered."""

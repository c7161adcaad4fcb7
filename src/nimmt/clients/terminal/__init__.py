"""Playing at a terminal: what is shown and what is asked.

A game's module says what that game shows (`Face`), made of the pieces that all games share: cards, boards, hands and a
panel of the seats. A screen draws them, all over a terminal or as plain lines, and a host runs the match between people
and bots. Everything is drawn from views and from what events show a seat, never from the state.
"""

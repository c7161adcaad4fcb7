"""Pictures of tables as SVG, drawn from what the rules say: for the documentation and for notebooks.

What a game looks like stands in its own folder, in `drawing.py`; one that has none is drawn plainly.
"""

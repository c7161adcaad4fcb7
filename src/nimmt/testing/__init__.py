"""What a game is tested with: random play, the laws that every game obeys, golden playthroughs, spoilt documents.

Shipped so that a game kept elsewhere can be tested the same way. Nothing else in nimmt imports it. Only
`conformance` and `machine` need Hypothesis.
"""

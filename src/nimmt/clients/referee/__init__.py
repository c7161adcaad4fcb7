"""Settling a question at a real table: what lies there and what is played in, what happens out, with the rules.

One small module for each game makes a position of what it is told, lets the rules of the game decide, and says why.
"""

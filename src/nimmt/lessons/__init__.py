"""Lessons: a game learnt by playing it. They are data; the rules say what happens in them."""

from nimmt.lessons.lesson import LANGUAGES, BrokenLesson, Lesson, Step, Text, lesson, lessons_of
from nimmt.lessons.walk import Moment, Part, Walk, walk

__all__ = [
    "LANGUAGES",
    "BrokenLesson",
    "Lesson",
    "Moment",
    "Part",
    "Step",
    "Text",
    "Walk",
    "lesson",
    "lessons_of",
    "walk",
]

"""What every decision of a match cost, and what was luck: `review` takes a match apart so that all of it adds up."""

from nimmt.insight.review import Account, Decided, Review, SeatReview, review

__all__ = ["Account", "Decided", "Review", "SeatReview", "review"]

"""What every decision of a match cost, and what was luck: a match is taken apart so that all of it adds up."""

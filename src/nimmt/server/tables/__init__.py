"""Tables: their log, what follows from it, the commands on them, and what each pair of eyes gets to see."""

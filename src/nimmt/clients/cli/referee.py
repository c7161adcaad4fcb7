"""settle a question at a real table: say what lies there and what is played, and see what happens and by which rule"""

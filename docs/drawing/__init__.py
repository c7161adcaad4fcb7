"""Pictures of positions: what lies on the table, drawn from what the rules say."""

"""What is written down and read back: records, states, tables, games in progress."""

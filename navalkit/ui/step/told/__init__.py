"""What the stepper tells of a decision: its lines, tables, terms and the end of a hunt."""

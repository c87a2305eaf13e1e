"""A teacher's marking: class tables, notebooks run again, and assignments for other graders."""

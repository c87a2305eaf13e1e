"""The rules, each part in a module of its own; the ids are those of RULES.md."""

"""All that is rolled: torpedoes, attacks, searches, gunfire, damage; and who sees whom."""

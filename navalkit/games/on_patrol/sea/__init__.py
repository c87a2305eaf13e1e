"""What there is: ships, boats and markers, the tables, scenarios, and formations that sail in unison."""

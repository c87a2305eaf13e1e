"""What lies on the sea of Fleet Action, and over it, as shapes."""

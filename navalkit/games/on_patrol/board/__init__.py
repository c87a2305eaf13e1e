"""What a page shows: the sea, the conning panel, evidence, reports and sheets."""

"""Painters: one scene as SVG, PNG, PDF or text, and packed for the browser."""

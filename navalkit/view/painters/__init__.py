"""Painters: one scene as SVG, PNG, text or a page to print, and packed for the browser."""

"""Fixes: which findings are cured in which order, the proof that nothing else changed, and the writing of files."""

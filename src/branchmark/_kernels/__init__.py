"""Compiled loops over plain integer arrays; see the Python modules above for meaning."""

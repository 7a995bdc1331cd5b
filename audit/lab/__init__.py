"""Benchmarks of the log; `manage.py bench` runs them."""

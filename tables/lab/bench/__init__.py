"""Benchmarks of what the product does all night, each by `manage.py bench NAME` on a stack of its own."""

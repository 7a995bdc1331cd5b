"""Benchmarks, run by `manage.py bench` and never as timed tests: their figures depend on the machine and its noise."""

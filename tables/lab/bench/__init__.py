"""Benchmarks of what the product does all night, run by `manage.py bench NAME` on stacks of their own, and their parts.

`BENCHES` in tables/management/commands/bench.py names them all, those of the other labs too.
"""

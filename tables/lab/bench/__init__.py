"""Benchmarks of what the product does all night, by `manage.py bench NAME` on stacks of their own, and parts of them.

`BENCHES` in tables/management/commands/bench.py names them all, those of the other labs too.
"""

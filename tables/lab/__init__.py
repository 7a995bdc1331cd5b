"""Benches, faults and replay: they may use everything, and nothing but commands imports them."""

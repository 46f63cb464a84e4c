"""Fermata inside agent frameworks. Each module needs its framework; this package needs none."""

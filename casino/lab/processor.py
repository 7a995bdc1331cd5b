"""Processor time of processes, so that neighbours on the machine count for little."""

import psutil


def used(*processes):
    """Processor seconds of processes so far."""
    return sum(map(_seconds, processes))


def of_database(cluster):
    """Processor seconds of a database server so far, including those of connections that have ended."""
    postmaster = psutil.Process(cluster.process.pid)
    while True:
        ended = postmaster.cpu_times()
        try:
            return ended.children_user + ended.children_system + used(*postmaster.children())
        except psutil.NoSuchProcess:
            continue  # it ended meanwhile, and counts among those that did


def _seconds(process):
    times = process.cpu_times()
    return times.user + times.system

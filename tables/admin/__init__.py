"""The app's read-only pages in the admin: Django finds this package as the app's `admin`.

The pages of money are in payouts/admin.py, those of staff in casino/admin.py; pages read at a table too, or printed,
are in tables/pages.
"""

from . import exports as exports
from . import floor as floor
from . import history as history
from . import inspections as inspections
from . import rounds as rounds

"""Read-only pages in the admin's house: Django finds this package as the app's `admin`."""

from . import exports as exports
from . import floor as floor
from . import history as history
from . import rounds as rounds

"""Read-only pages in the admin's house: Django finds this package as the app's `admin`."""

from . import floor as floor
from . import log as log

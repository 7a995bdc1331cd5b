#!/usr/bin/env python
"""Django's command line for the casino project."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line

        try:
            execute_from_command_line(sys.argv)
        except ImproperlyConfigured as error:
            sys.exit(f"Refused to start: {error}")
    except KeyboardInterrupt:
        sys.exit(130)  # Ctrl-C wants no traceback

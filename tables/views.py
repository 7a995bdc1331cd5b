"""The pages: the list of tables, and a table's terminal with the fragment that htmx swaps in."""

import json

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.roles import Verb

from . import access, terminal
from . import terminal as screens

"""The choice of a language, the sentences of scripts in one, and the pages that say that there is nothing to see."""

from django.conf import settings
from django.http import Http404
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import defaults
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.i18n import JavaScriptCatalog

from ..people import languages


@require_POST
def choice(request):
    """Keep the `language` and go back to `next`, a page of ours."""
    code, back = request.POST.get("language"), request.POST.get("next", "")
    if code not in languages.KNOWN:
        raise Http404
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = reverse("home")
    return languages.choose(request, redirect(back), code)


def not_found(request, exception):
    """Django's `handler404`, for addresses that don't exist, too."""
    languages.refuse(request)
    return defaults.page_not_found(request, exception)


def denied(request, exception):
    """Django's `handler403`."""
    languages.refuse(request)
    return defaults.permission_denied(request, exception)


@require_GET
@never_cache
def words(request, code):
    """The catalogue of the scripts, as Django's own script that gives them `gettext`."""
    if code not in languages.KNOWN or code == settings.LANGUAGE_CODE:
        raise Http404
    with translation.override(code):
        return JavaScriptCatalog.as_view(domain="djangojs", packages=["casino"])(request)

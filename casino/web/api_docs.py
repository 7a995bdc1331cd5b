"""REST's description, and the page to try it."""

from csp.decorators import csp
from django.conf import settings
from django.contrib.auth.decorators import login_required
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework import exceptions, permissions
from rest_framework.response import Response
from rest_framework.views import APIView

from . import openapi


class LoggedIn(permissions.BasePermission):
    """Everybody who works here."""

    def has_permission(self, request, view):
        if not request.user.is_authenticated:
            raise exceptions.NotAuthenticated
        return True


class Schema(APIView):
    """This description: OpenAPI 3.1."""

    permission_classes = (LoggedIn,)
    gives = {"GET": (200, {"type": "object", "required": ["openapi", "info", "paths", "components"]})}

    def get(self, request):
        return Response(openapi.document())


# Swagger UI from our own address, under a policy of its own.
docs = login_required(
    csp(settings.API_DOCS_CONTENT_SECURITY_POLICY)(SpectacularSwaggerSplitView.as_view(url_name="api-schema"))
)

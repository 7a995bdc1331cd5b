"""The login page, which refuses in its own words whoever comes while too many others log in."""

from django.contrib.auth import views

from casino.errors import Refused

from ..people import lockout


class Login(views.LoginView):
    template_name = "login.html"

    def post(self, request, *args, **kwargs):
        try:
            return super().post(request, *args, **kwargs)
        except Refused as refused:
            return lockout.page(request, refused)

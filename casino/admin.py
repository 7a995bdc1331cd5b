"""The admin's site, and the base of its pages: read-only, each by a verb of roles.py."""

from unfold.admin import ModelAdmin
from unfold.sites import UnfoldAdminSite


class Site(UnfoldAdminSite):
    """Who holds the right to read the admin may enter; each page asks for its own right."""

    def has_permission(self, request):
        return request.user.is_authenticated and request.user.has_perm("admin.read")


class ReadOnlyAdmin(ModelAdmin):
    """A page that shows rows and changes none; `verb` is the right that it takes."""

    verb = None
    actions = None

    def has_view_permission(self, request, obj=None):
        return request.user.has_perm(self.verb)

    def has_module_permission(self, request):
        return self.has_view_permission(request)

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False

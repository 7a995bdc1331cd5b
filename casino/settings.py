"""Settings from the environment. `manage.py up` writes the embedded stack's to `DATA_DIR/environment`.

| name | meaning | default |
|---|---|---|
| DATABASE_URL | PostgreSQL as the app's role | from DATA_DIR/environment |
| DATABASE_OWNER_URL | the same database as its owner; for `migrate` alone | none |
| SEALER_DATABASE_URL | the same as the sealer's role; for the log's worker alone | from DATA_DIR/environment |
| AUDITOR_ROLE | the database role that may only read | casino_auditor |
| SEALER_ROLE | the database role that alone writes the log's tree | casino_sealer |
| BROKER_URL | amqp:// or redis:// or redis+socket:// | from DATA_DIR/environment |
| SECRET_KEY | signs sessions | from DATA_DIR/environment |
| SECRET_KEY_FALLBACKS | comma-separated keys of before, newest first: what they signed is still read | none |
| INSTALLATION | what the names of the cookies end with | made of the oldest key |
| ALLOWED_HOSTS | comma-separated host names | localhost and loopback |
| CSRF_TRUSTED_ORIGINS | comma-separated origins | none |
| HTTPS | 1: secure cookies, HSTS, redirect to https | 0 |
| SESSION_IDLE_SECONDS | after which people of the back office are logged out if they send no command | 900 |
| LOCKOUT_FAILURES | wrong passwords of one person at one terminal that lock that person out there | 5 |
| LOCKOUT_MINUTES | for how long | 15 |
| WRONG_LOGINS | wrong logins a minute in the whole house; beyond them whoever is wrong is told to wait | 30 |
| SECOND_STEP | 0: no role has to prove a second step after the password | 1; the demo of `manage.py up` 0 |
| WEB_PROCESSES | web processes of `manage.py up` | one for each core, at most 4 |
| HASHINGS | passwords that are hashed at once in the whole house, 2 to 64; logins leave one to signatures | 2 |
| REQUEST_SECONDS | in which a connection has to bring a whole request, else it is closed | 15 |
| STALLED_SECONDS | after which a connection is closed if the other side takes nothing of an answer | 30 |
| LOG_KEYS | the folder of the log's keys, for the log's worker alone | DATA_DIR/keys |
| ANCHOR_FILE | where checkpoints are appended; at best a file of another owner | DATA_DIR/anchor/checkpoints |
| BACKUP_RECIPIENTS | public keys (age1..., ssh-ed25519 ...) with commas between; backups are encrypted to them | none |
| EXPORTS | the folder of exports, which the log's worker writes and the web sends | DATA_DIR/exports |
| REPORTS | the folder of the files of reports, which their worker writes and the web sends | DATA_DIR/reports |
| ANCHOR_SECONDS | how often, while there is something new in the log | 60 |
| INSPECTION_HOURS | in which all that was written is looked at again, once | 20 |
| HEARTBEAT_SECONDS | how often an event stream asks again for rights | 15 |
| DATA_DIR | where the embedded stack keeps its data | var |
| HOUSE | the file of the house that `manage.py up` founds in a new DATA_DIR, instead of the demo | none |
| DISK_FREE_MB | with less free below DATA_DIR `manage.py up` refuses to start, and says so while it runs | 500 |
| WARM_EDGE | 0: `manage.py up` leaves what computes the house edge to be compiled when an edge is first asked for | 1 |
| DATABASE_WAIT | seconds that a process waits at its start for a database out of reach | 30 |
| DATABASE_POOL | connections that a web process keeps; a forked worker must not inherit a pool | 0, web 8 |
| DEBUG | 1 for Django's debug pages | 0 |
| HOST, PORT | where `manage.py up` listens; port 0 is any free one | 127.0.0.1, 8000 |
| FSYNC_OFF_IS_FINE | 1: the tests' own cluster, whose commits need not last | 0 |
"""

import datetime as dt
import gc
import hashlib
import os
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.functional import lazy
from dotenv import dotenv_values
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from casino import outages

# All that a start loads stays, so the collector would look through it in vain, a sixth of the time that a start takes;
# `casino/apps.py` lets it begin.
gc.disable()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("DATA_DIR", BASE_DIR / "var")).absolute()
HOUSE = Path(os.environ["HOUSE"]).absolute() if os.environ.get("HOUSE") else None
DISK_FREE_MB = int(os.environ.get("DISK_FREE_MB") or 500)
WARM_EDGE = os.environ.get("WARM_EDGE") != "0"
# Of `manage.py up`: a core each, and no more than four.
WEB_PROCESSES = int(os.environ.get("WEB_PROCESSES") or min(4, len(os.sched_getaffinity(0))))
_written = (
    {} if {"DATABASE_URL", "SEALER_DATABASE_URL"} & os.environ.keys() else dotenv_values(DATA_DIR / "environment")
)


static_lazy = lazy(static, str)
# A process that froze in a transaction keeps its locks no longer than a worker its lease.
PINNED = (
    r"-c search_path=public -c synchronous_commit=on -c default_transaction_isolation=read\ committed"
    " -c idle_in_transaction_session_timeout=10s"
)


def _read(name, default=""):
    return os.environ.get(name) or _written.get(name) or default


def _listed(name, default=""):
    return [item.strip() for item in _read(name, default).split(",") if item.strip()]


def _database(url, *, pool=0):
    """Django's dict for a libpq URL; what Django has no key for goes into OPTIONS."""
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError as error:
        reason = str(error).strip()
        raise ImproperlyConfigured(
            f"The database's address is not postgresql://...: {reason}. Mend DATABASE_URL."
        ) from None
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    named = {key: str(parts.pop(part, "")) for key, part in names.items()}
    # A role may change its own defaults: a person with its password can't slacken ours. The address has the last word.
    parts["options"] = f"{PINNED} {parts.get('options', '')}".strip()
    if pool:
        # While the database is out of reach a request is refused within 3 s; a pool that gives up by itself tries again
        # for the next request, instead of ever later.
        parts.setdefault("connect_timeout", 2)
        parts["pool"] = {
            "min_size": 1,
            "max_size": pool,
            "timeout": 2,
            "reconnect_timeout": 2,
            "connection_class": outages.Connection,
        }
    # A query that is asked again and again is planned once for each connection.
    parts["server_side_binding"], parts["prepare_threshold"] = True, 2
    return {"ENGINE": "django.db.backends.postgresql", **named, "OPTIONS": parts, "CONN_MAX_AGE": 0 if pool else 60}


DEBUG = _read("DEBUG") == "1"
SECRET_KEY = _read("SECRET_KEY")
SECRET_KEY_FALLBACKS = _listed("SECRET_KEY_FALLBACKS")
HTTPS = _read("HTTPS") == "1"
ALLOWED_HOSTS = _listed("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = _listed("CSRF_TRUSTED_ORIGINS")

_sealer_url = _read("SEALER_DATABASE_URL")
# The log's worker needs no more than its own role.
_url = _read("DATABASE_URL") or _sealer_url or "postgresql:///casino"
DATABASES = {"default": _database(_url, pool=int(_read("DATABASE_POOL", "0")))}
if _sealer_url:
    DATABASES["sealer"] = _database(_sealer_url)
if os.environ.get("DATABASE_OWNER_URL"):
    DATABASES["owner"] = _database(os.environ["DATABASE_OWNER_URL"])
# Reads everything but passwords, tokens and salts; migrations grant to it.
AUDITOR_ROLE = _read("AUDITOR_ROLE", "casino_auditor")
# Reads as much, and alone writes the log's tree and how far exports are; audit/sealer.py takes it.
SEALER_ROLE = _read("SEALER_ROLE", "casino_sealer")
DATABASE_WAIT = float(_read("DATABASE_WAIT", "30"))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "casino.Staff"
# The tests alone run their cluster with fsync off; anywhere else the system check refuses to start.
FSYNC_OFF_IS_FINE = os.environ.get("FSYNC_OFF_IS_FINE") == "1"

INSTALLED_APPS = [
    # The first app that has a command of a name is asked: ours refuses two of `django.contrib.auth`.
    "casino.apps.CasinoConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "audit",
    "payouts",
    "tables",
    "unfold.apps.BasicAppConfig",
    "casino.apps.AdminConfig",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "axes",
]
MIDDLEWARE = [
    "casino.logs.request_log",
    # First those that give every answer its headers, refusals and static files too.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "tables.people.languages.Language",
    "casino.web.limits.guard",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "casino.web.sessions.Middleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "tables.people.sessions.Authentication",
    "tables.people.web_sessions.Watch",
    "django.contrib.messages.middleware.MessageMiddleware",
    "axes.middleware.AxesMiddleware",
    "tables.terminal.answers.felt_beside",
]
ROOT_URLCONF = "casino.urls"
ASGI_APPLICATION = "casino.asgi.application"
WSGI_APPLICATION = "casino.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tables.people.languages.for_pages",
                "tables.people.web_sessions.for_pages",
                "tables.pages.calls.for_pages",
            ]
        },
    },
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates" / "terminal"],
        "OPTIONS": {"environment": "casino.web.jinja.Environment"},
    },
]
FORM_RENDERER = "django.forms.renderers.DjangoTemplates"

AUTHENTICATION_BACKENDS = ["tables.people.lockout.Backend", "tables.people.access.StaffBackend"]
PASSWORD_HASHERS = ["casino.hashing.Argon2"]
HASHINGS = int(_read("HASHINGS", "2"))
WRONG_LOGINS = int(_read("WRONG_LOGINS", "30"))
# `roles.SECOND_STEP` says who must prove one then. Whoever has one proves it in any case.
SECOND_STEP = _read("SECOND_STEP", "1") != "0"
# What `casino/passwords.py` asks of one. The list of breached ones has none below ten characters.
_VALIDATORS = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATORS}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATORS}.UserAttributeSimilarityValidator", "OPTIONS": {"user_attributes": ("login", "name")}},
    {"NAME": f"{_VALIDATORS}.CommonPasswordValidator"},
    {"NAME": "casino.passwords.BreachedPasswordValidator"},
]
# Counted by person and terminal, never by address: a casino has one. tables/people/lockout.py makes the key.
AXES_HANDLER = "tables.people.lockout.Handler"
AXES_LOCKOUT_PARAMETERS = "tables.people.lockout.key"
AXES_LOCKOUT_CALLABLE = "tables.people.lockout.answer"
AXES_FAILURE_LIMIT = int(_read("LOCKOUT_FAILURES", "5"))
AXES_COOLOFF_TIME = dt.timedelta(minutes=int(_read("LOCKOUT_MINUTES", "15")))
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_USERNAME_FORM_FIELD = "username"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = AXES_VERBOSE = False
LOGIN_URL = reverse_lazy("login")
LOGIN_REDIRECT_URL = reverse_lazy("home")
LOGOUT_REDIRECT_URL = reverse_lazy("login")
# Browsers share cookies between ports, so two installations on one machine name theirs apart. A new key changes no name
# while the old one is a fallback, and none at all where INSTALLATION is set.
INSTALLATION = _read("INSTALLATION") or hashlib.sha256([SECRET_KEY, *SECRET_KEY_FALLBACKS][-1].encode()).hexdigest()[:8]
SESSION_COOKIE_NAME = f"sessionid_{INSTALLATION}"
CSRF_COOKIE_NAME = f"csrftoken_{INSTALLATION}"
TERMINAL_COOKIE_NAME = f"terminal_{INSTALLATION}"
# For people of the back office; `tables/people/web_sessions.py` says what counts as activity.
SESSION_IDLE_SECONDS = int(_read("SESSION_IDLE_SECONDS", "900"))
SESSION_ENGINE = "tables.people.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 86400 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
# Our own pages in the admin: as strict, with unfold's fonts.
FRAME_CONTENT_SECURITY_POLICY = {**CONTENT_SECURITY_POLICY["DIRECTIVES"], "font-src": [SELF]}
# Unfold's own pages, its lists and rows: its Alpine evaluates expressions and styles elements as it goes.
ADMIN_CONTENT_SECURITY_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF, UNSAFE_EVAL, UNSAFE_INLINE],
    "style-src": [SELF, UNSAFE_INLINE],
    "img-src": [SELF, "data:"],
    "font-src": [SELF],
    "connect-src": [SELF],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
    "base-uri": [NONE],
}
# The page that tries REST: Swagger UI styles elements as it goes.
API_DOCS_CONTENT_SECURITY_POLICY = {
    "default-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF, UNSAFE_INLINE],
    "img-src": [SELF, "data:"],
    "connect-src": [SELF],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
    "base-uri": [NONE],
}
# Of any body; `casino/web/limits.py` refuses what is larger before Django reads it.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
# The time a connection has to bring a whole request, and the other side to take something of an answer.
REQUEST_SECONDS = int(_read("REQUEST_SECONDS", "15"))
STALLED_SECONDS = int(_read("STALLED_SECONDS", "30"))

# The English stands in the code, all else in `casino/locale`: "A language" in docs/contributing.md.
LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "casino" / "locale"]
LANGUAGE_COOKIE_NAME = f"language_{INSTALLATION}"
LANGUAGE_COOKIE_AGE = 365 * 86400
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
USE_I18N = True
FORMAT_MODULE_PATH = "casino.formats"
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
# The umask decides who may read collected files, as with all else that we write.
FILE_UPLOAD_PERMISSIONS = None
# Those that were not collected are served as they stand in the apps.
WHITENOISE_USE_FINDERS = True
# By default any other site may read them.
WHITENOISE_ALLOW_ALL_ORIGINS = False
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "casino.web.assets.Assets"},
}

UNFOLD = {
    "SITE_TITLE": "Casino back office",
    "SITE_HEADER": "Casino back office",
    "SITE_SYMBOL": "casino",
    "SITE_URL": "/",
    "DASHBOARD_CALLBACK": "tables.admin.dashboard.fill",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": static_lazy("tables/favicon.svg")}],
    # In place of unfold's own link, which would change a password without an entry in the log.
    "ACCOUNT": {
        "navigation": [
            {"title": "Tables", "link": reverse_lazy("home")},
            {"title": "Account", "link": reverse_lazy("account")},
        ]
    },
    "STYLES": [static_lazy("tables/admin.css")],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "COLORS": {
        "primary": {
            "50": "oklch(97% .02 160)",
            "100": "oklch(94% .04 160)",
            "200": "oklch(88% .07 160)",
            "300": "oklch(80% .1 160)",
            "400": "oklch(70% .12 160)",
            "500": "oklch(58% .12 160)",
            "600": "oklch(48% .1 160)",
            "700": "oklch(41% .09 160)",
            "800": "oklch(34% .07 160)",
            "900": "oklch(28% .06 160)",
            "950": "oklch(20% .04 160)",
        }
    },
}

# The log's keys, and its checkpoints outside.
LOG_KEYS = _read("LOG_KEYS", str(DATA_DIR / "keys"))
ANCHOR_FILE = _read("ANCHOR_FILE", str(DATA_DIR / "anchor" / "checkpoints"))
BACKUP_RECIPIENTS = _listed("BACKUP_RECIPIENTS")
EXPORTS = _read("EXPORTS", str(DATA_DIR / "exports"))
REPORTS = _read("REPORTS", str(DATA_DIR / "reports"))
ANCHOR_SECONDS = int(_read("ANCHOR_SECONDS", "60"))
# What an inspection looks through, by its kind, and what else each entry is asked for.
INSPECTIONS = {"all": ["audit.leaves.PARTS", "tables.inspections.PARTS"], "books": ["payouts.books.PARTS"]}
INSPECTION_ENTRIES = ["audit.leaves.rows_of_entries", "tables.inspections.rows_of_entries"]
INSPECTION_HOURS = int(_read("INSPECTION_HOURS", "20"))
# How often an event stream asks again whether its reader still may.
HEARTBEAT_SECONDS = int(_read("HEARTBEAT_SECONDS", "15"))

REST_FRAMEWORK = {
    # A lone surrogate that a refusal echoes can't be written in UTF-8; escaped it can.
    "UNICODE_JSON": False,
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tables.people.terminals.TokenAuthentication",
        "casino.web.rest.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["casino.web.rest.MayThisRole"],
    "DEFAULT_PARSER_CLASSES": ["casino.web.rest.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "casino.web.rest.answer_error",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "DEFAULT_SCHEMA_CLASS": "casino.web.openapi.AutoSchema",
    "DEFAULT_METADATA_CLASS": "casino.web.rest.NoMetadata",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Casino back office",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": ["tables.rest.schema.complete"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Folded by their tags: of more than 123 operations that lie open the page draws six and says nothing.
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "none", "defaultModelsExpandDepth": 0},
}

CELERY_BROKER_URL = _read("BROKER_URL", "redis://localhost:6379/0")
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Garbage in a queue ends no worker, and nobody who reaches the broker orders one to end.
CELERY_WORKER_CONSUMER = "casino.consumer:Consumer"
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_TASK_ROUTES = {
    # The first that fits counts.
    "tables.tasks.make_reports": {"queue": "reports"},
    "tables.tasks.sweep_reports": {"queue": "reports"},
    "tables.tasks.tell_luck_apart": {"queue": "edge"},
    "tables.tasks.sweep_luck": {"queue": "edge"},
    "tables.tasks.*": {"queue": "settlement"},
    "audit.tasks.seal": {"queue": "log"},
    "audit.tasks.export": {"queue": "exports"},
    "audit.tasks.inspect": {"queue": "inspections"},
    "casino.tasks.prune": {"queue": "settlement"},
    "payouts.tasks.compute_edges": {"queue": "edge"},
}
CELERY_TASK_DEFAULT_QUEUE = "settlement"
if urlsplit(CELERY_BROKER_URL).scheme.startswith("amqp"):
    CELERY_TASK_DEFAULT_QUEUE_TYPE = "quorum"
    CELERY_WORKER_DETECT_QUORUM_QUEUES = True
    CELERY_BROKER_TRANSPORT_OPTIONS = {"confirm_publish": True}
else:
    # With kombu's defaults a killed worker's message comes back only after 100 s or more.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 60,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
        "socket_timeout": 5,
        "socket_connect_timeout": 0.2,
    }
CELERY_BEAT_SCHEDULE = {
    "settle-due": {"task": "tables.tasks.settle_due", "schedule": 1.0, "options": {"expires": 5}},
    "seal": {"task": "audit.tasks.seal", "schedule": 1.0, "options": {"expires": 5}},
    "export": {"task": "audit.tasks.export", "schedule": 1.0, "options": {"expires": 5}},
    "inspect": {"task": "audit.tasks.inspect", "schedule": 5.0, "options": {"expires": 10}},
    "alarms": {"task": "tables.tasks.look_at_alarms", "schedule": 1.0, "options": {"expires": 5}},
    "alarms-of-sessions": {
        "task": "tables.tasks.look_at_sessions",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "wrong-logins": {"task": "tables.tasks.record_wrong_logins", "schedule": 10.0, "options": {"expires": 10}},
    "reports": {"task": "tables.tasks.make_reports", "schedule": 1.0, "options": {"expires": 5}},
    "sweep-reports": {"task": "tables.tasks.sweep_reports", "schedule": 3600.0, "options": {"expires": 600}},
    "edge": {"task": "payouts.tasks.compute_edges", "schedule": 1.0, "options": {"expires": 5}},
    "luck": {"task": "tables.tasks.tell_luck_apart", "schedule": 5.0, "options": {"expires": 5}},
    "sweep-luck": {"task": "tables.tasks.sweep_luck", "schedule": 3600.0, "options": {"expires": 600}},
    "prune": {"task": "casino.tasks.prune", "schedule": 3600.0, "options": {"expires": 600}},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "casino.logs.formatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        # It writes who logs in, from where and with which browser; the chained log has the lock-outs.
        "axes": {"level": "ERROR"},
        # Refusals have their line already; what broke comes with its traceback.
        "django.request": {"level": "ERROR"},
        "uvicorn": {"handlers": [], "propagate": True},
        # Ours, of `casino.logs`, has no address and no query string.
        "uvicorn.access": {"handlers": [], "propagate": False},
        # At INFO some lines for each doorbell, one a second, and for each that came too late.
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.worker.request": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
    },
}

"""Every task has a queue that a worker takes: tasks, routes, beat, the stack's workers and the guide agree."""

import importlib
import re
from fnmatch import fnmatch

import pytest
from django.conf import settings

from casino.celery import app
from casino.running import stack

from ..test_architecture import BASE_DIR, LAYERS

MODULES = [f"{layer}.tasks" for layer in LAYERS if (BASE_DIR / layer / "tasks.py").exists()]
for module in MODULES:
    importlib.import_module(module)
TASKS = sorted(name for name in app.tasks if name.partition(".")[0] in LAYERS)


def test_every_module_of_tasks_has_tasks_and_they_stand_nowhere_else():
    assert {name.rpartition(".")[0] for name in TASKS} == set(MODULES)


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_routed_by_its_name_to_a_queue_that_a_worker_takes(name):
    # Else it would go to the default queue, unnoticed.
    assert any(fnmatch(name, pattern) for pattern in settings.CELERY_TASK_ROUTES)
    assert app.amqp.router.route({}, name)["queue"].name in {queue for queues in stack.WORKERS for queue in queues}


def test_every_route_leads_a_task_somewhere():
    for pattern in settings.CELERY_TASK_ROUTES:
        assert any(fnmatch(name, pattern) for name in TASKS), pattern


@pytest.mark.parametrize("entry", settings.CELERY_BEAT_SCHEDULE)
def test_beat_rings_for_a_task_that_there_is(entry):
    assert settings.CELERY_BEAT_SCHEDULE[entry]["task"] in TASKS


def test_every_queue_is_taken_by_one_worker_and_by_the_same_unit_of_the_guide():
    assert sorted(queue for queues in stack.WORKERS for queue in queues) == sorted(stack.QUEUES)
    guide = (BASE_DIR / "docs" / "operations.md").read_text("utf-8")
    assert [tuple(queues.split(",")) for queues in re.findall(r" -Q (\S+)", guide)] == list(stack.WORKERS)

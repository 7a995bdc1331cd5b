"""REST for questions of auditors to the pit: asked, answered once by the pit, then accepted or asked again."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.roles import Right
from casino.web import rest

from ..models import Question
from ..people import access
from ..verbs import questions
from ..words.questions import within_reach

NEWEST = 50
"""How many settled questions are listed at most."""


class Questions(APIView):
    """The questions within reach: those that wait, by when they are due, then the newest settled ones. A further
    question names the one that it follows.

    POST asks one about `subject`, which is named as its page or paper names it, `T1-00171`, `F-2026-000013` or
    `session 6`; as the log does: `round:12`, `slip:4`, `day:3`; or as an entry, by chain and number, `house/7`.
    """

    rights = {"GET": Right.READ_QUESTIONS, "POST": Right.ASK_PIT}
    must = {"subject": str, "words": str}
    gives = {"GET": (200, "Questions"), "POST": (201, "Question")}
    refuses = {422: "subject_wrong subject_unknown words_missing words_wrong"}

    def get(self, request):
        near = within_reach(request.user, Right.READ_QUESTIONS)
        open_ones = near.exclude(status=Question.Status.SETTLED).filter(followed_by=None).order_by("due_at", "pk")
        settled = near.filter(status=Question.Status.SETTLED).order_by("-settled_at", "-pk")[:NEWEST]
        return Response({"questions": [_json(each) for each in [*open_ones, *settled]]})

    def post(self, request):
        body = rest.fields(request.data, self.must)

        def work():
            access.still_in_house(request.user, Right.ASK_PIT)
            return 201, _now(questions.ask(**body, actor=Actor(request.user)))

        return rest.carried_out(request, work)


class QuestionDetail(APIView):
    """One question."""

    rights = {"GET": Right.READ_QUESTIONS}
    gives = {"GET": (200, "Question")}

    def get(self, request, question_id):
        return Response(_json(_or_404(request.user, Right.READ_QUESTIONS, question_id)))


class _Step(APIView):
    """A step of a question: POST does it."""

    right = Right.ASK_PIT
    verb = None

    def post(self, request, question_id):
        question = _or_404(request.user, self.right, question_id)
        body = rest.fields(request.data, self.must)

        def work():
            if question.table_id:
                access.still(request.user, self.right, question.table_id)
            else:
                access.still_in_house(request.user, self.right)
            return self.status, _now(self.verb(question_id=question_id, actor=Actor(request.user), **body))

        return rest.carried_out(request, work)


class QuestionAnswer(_Step):
    """POST answers a question, once: a pit boss of its pit if it is about a table, any if it is about the house."""

    rights = {"POST": Right.ANSWER_QUESTION}
    must = {"words": str}
    gives = {"POST": (200, "Question")}
    refuses = {409: "question_wrong_moment", 422: "own_question words_missing words_wrong"}
    right, status, verb = Right.ANSWER_QUESTION, 200, staticmethod(questions.answer)


class QuestionAgain(_Step):
    """POST asks again about the same if an answer does not suffice; the answer is the further question."""

    rights = {"POST": Right.ASK_PIT}
    must = {"words": str}
    gives = {"POST": (201, "Question")}
    refuses = {409: "question_wrong_moment question_asked_again", 422: "words_missing words_wrong"}
    status, verb = 201, staticmethod(questions.ask_again)


class QuestionSettle(_Step):
    """POST accepts the answer to a question, which settles it."""

    rights = {"POST": Right.ASK_PIT}
    must = {}
    gives = {"POST": (200, "Question")}
    refuses = {409: "question_wrong_moment question_asked_again", 422: "own_answer"}
    status, verb = 200, staticmethod(questions.settle)


def _or_404(staff, right, question_id):
    question = within_reach(staff, right).filter(pk=question_id).first()
    if question is None:
        raise Http404("There is no such question, or it is of a table out of your reach.")
    return question


def _now(question):
    return _json(Question.objects.get(pk=question.pk))


def _json(question):
    return {
        "id": question.pk,
        "subject": question.subject,
        "table": question.table_id,
        "status": question.status,
        "follows": question.follows_id,
        "words": question.words,
        "asked_by": question.asked_by_id,
        "asked_at": question.asked_at.isoformat(),
        "due_at": question.due_at.isoformat(),
        "answer": question.answer or None,
        "answered_by": question.answered_by_id,
        "answered_at": question.answered_at and question.answered_at.isoformat(),
        "settled_by": question.settled_by_id,
        "settled_at": question.settled_at and question.settled_at.isoformat(),
    }

# What Schemathesis cannot know: what a PDF is, which ids there are, and what a business may ask for. Without it nearly
# everything would end at 400 and 404. Only cases that are meant to be good are changed, and not all of them; those that
# are meant to be bad stay so.
import ast
import atexit
import base64
import builtins
import json
import os
import re
import threading
import zlib
from collections import Counter

import hypothesis
import schemathesis
import schemathesis.engine.run.stateful._executor as stateful
from schemathesis.engine.run.stateful.context import StatefulContext

# Python 3.11 counts how deep it is in a tree for all threads at once (CPython issue 106905): two that parse at the same time
# end in a SystemError, now and then.
PARSING = threading.Lock()
compile_ = builtins.compile


def parse_alone(source, filename, mode, flags=0, *args, **kwargs):
    if not flags & ast.PyCF_ONLY_AST:
        return compile_(source, filename, mode, flags, *args, **kwargs)
    with PARSING:
        return compile_(source, filename, mode, flags, *args, **kwargs)


builtins.compile = parse_alone

# Schemathesis has Hypothesis climb towards answers of 2xx. Here the ids and bodies below lead there, and the climb took
# half of the time of a run for cases that hardly differ from each other.
hypothesis.target = lambda *_, **__: None

# Chains hang on what a server answers, and ours has limits: the 21st webhook is refused. When a beginning that Hypothesis
# tries again goes on differently, Schemathesis ends the phase in silence, after 98 of 200 chains. It begins anew instead, as
# it does by itself where Hypothesis finds nothing to send.
end_early = stateful._classify_flaky


def begin_anew(*, ctx, engine, state):
    status, again, events = end_early(ctx=ctx, engine=engine, state=state)
    return status, again or (not events and ctx.completed_scenarios < CASES), events


stateful._classify_flaky = begin_anew

# It counts each beginning as one more chain, and those in which nothing was sent: 173 were called 200.
next_scenario = StatefulContext.reset_scenario


def count_what_was_sent(self):
    completed = self.completed_scenarios + (self.current_scenario_status is not None)
    next_scenario(self)
    self.completed_scenarios = completed


StatefulContext.reset_scenario = count_what_was_sent

CASES = int(os.environ["PARAPH_CASES"])
VERSION = os.environ["PARAPH_VERSION"]
FILE = open(os.environ["PARAPH_PDF"], "rb").read()
PDF = base64.b64encode(FILE).decode()
# What the test made before; grows while something is made.
POOLS = json.loads(os.environ["PARAPH_IDS"])
# The first of each stays: chains begin with it.
KEPT = {pool: (known or [None])[0] for pool, known in POOLS.items()}
# What lies inside a request, each with the id of the request: {sid: [(id, sid), …]}.
INNER = {"sid": [], "attachment_id": [], "observer_id": [], "document_id": []}
# By operation, so that what becomes of its cases does not hang on what the other workers do meanwhile.
TURNS = Counter()
# How many cases an operation had in a phase, and what they were answered; the test wants to know.
SEEN = Counter()
LOCK = threading.Lock()
REPORT = "GET /signature-requests/{id}/report"
STORY = "GET /deletion-receipts/{id}/story"
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def turn(case, what):
    # In a chain the same must become of the same, or Hypothesis, which tries beginnings again, gives up in silence.
    if in_chain(case):
        return zlib.crc32(UUID.sub("", repr((what, case.query, case.body))).encode())
    with LOCK:
        TURNS[case.operation.label, what] += 1
        return TURNS[case.operation.label, what]


def in_chain(case):
    return case.meta is not None and case.meta.phase.name.value == "stateful"


def take(pool, case):
    known = POOLS[pool]
    if in_chain(case):
        return KEPT[pool]
    # What is taken away is there once, and some stay for the others.
    if case.operation.label == f"DELETE /{pool}/{{id}}":
        return known.pop(1) if len(known) > 5 else None
    return known[turn(case, pool) % len(known)] if known else None


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.operation.label == REPORT and in_chain(case) and case.query.get("type", "PDF") == "PDF":
        # Nobody seals the protocol of a request that is new; whatever else is wrong with the question stays so.
        case.query["type"] = "JSON"
    if case.operation.label == STORY and in_chain(case) and UUID.fullmatch(case.path_parameters["id"]):
        # Nor does anybody sign a head of the log for what a chain has just deleted: it is asked for one that was signed before.
        case.path_parameters["id"] = KEPT["deletion-receipts"]
    if case.meta is not None and not case.meta.generation.mode.is_positive:
        return
    if in_chain(case):
        # A key that was used before answers what was made then, which may be gone since.
        (case.headers or {}).pop("Idempotency-Key", None)
    # One in four is sent as it was made up.
    if turn(case, "case") % 4 == 0:
        return
    # In a chain the ids are those of the answers before.
    if not in_chain(case):
        use_known_ids(case)
    fresh(case.headers or {}, case)
    if isinstance(case.body, dict):
        tame(case, case.path, case.body)
    elif case.media_type == "application/pdf":
        case.body = FILE


def use_known_ids(case):
    first = case.path.strip("/").split("/")[0]
    given = (case.path_parameters or {}).get("id")
    if case.operation.label == REPORT:
        first = "reported"
    if given is not None and first in POOLS:
        case.path_parameters["id"] = take(first, case) or given
    for name in list(case.path_parameters or {}):
        if INNER.get(name):
            known = INNER[name].pop() if case.method == "DELETE" else INNER[name][-1]
            case.path_parameters.update(id=known[0], **{name: known[1]})


# Hypothesis likes to say the same thing twice: then a key answers 409, and an entity tag that was made up always 412.
def fresh(headers, case):
    if "Idempotency-Key" in headers:
        headers["Idempotency-Key"] = f"{case.operation.label} {turn(case, 'key')}"
    headers.pop("If-Match", None)


# Refused for a reason that no schema tells: a feature that is off, a provider or a member that does not exist, an address.
RISKY = (
    "quality legislation creator expires_at visual_signature document_signatures signer_identity_data signer_group_id "
    "callback_success_url callback_update_url callback_error_url file_url group_id user_id"
).split()


def tame(case, path, body):
    for name in RISKY:
        body.pop(name, None)
    if path.endswith("/attachments"):
        body.update(content=base64.b64encode(b"notes").decode(), content_type="text/plain", filename="notes.txt")
    if path.endswith("/signatures"):
        body[mail_in(path)] = "ada@example.com"
    if path.endswith("/observers"):
        body.update(type="USER", email="olga@example.com")
    if path == "/validate/document":
        body.update(content=FILE if case.media_type == "multipart/form-data" else PDF)
    if path in ("/documents", "/signature-requests") and "id" not in body:
        with_document(case, path, body)
    if path == "/signature-requests" and isinstance(body.get("id"), str):
        body["id"] = take("signature-requests", case) or body["id"]
        body.pop("signatures", None)
    if path.endswith("/documents") and "document_id" in body:
        body["document_id"] = take("documents", case) or body["document_id"]
    if path == "/events/replay":
        body["webhook_id"] = take("webhooks", case) or body.get("webhook_id")
    if path == "/webhooks":
        body["url"] = "https://hooks.example.com/paraph"


def with_document(case, path, body):
    if path == "/documents" or (turn(case, "document") % 2 and VERSION != "v3"):
        is_form = case.media_type == "multipart/form-data"
        body.update(content=FILE) if is_form else body.update(content=PDF, content_type="application/pdf")
        body.pop("document_id", None)
    else:
        body["document_id"] = take("documents", case)
        for name in ("content", "content_type", "documents"):
            body.pop(name, None)
    for entry in body.get("signatures") or []:
        for name in RISKY:
            entry.pop(name, None)
        entry[mail_in(path)] = "ada@example.com"


def mail_in(path):
    return "signer_email_address" if VERSION == "v1" else "account_email"


@schemathesis.hook
def after_call(context, case, response):
    with LOCK:
        phase = "none" if case.meta is None else case.meta.phase.name.value
        SEEN[(case.operation.label, phase, response.status_code)] += 1
    if response.status_code != 200 or not response.headers.get("content-type", [""])[0].startswith("application/json"):
        return
    made = response.json()
    if not isinstance(made, dict) or not isinstance(made.get("id"), str):
        return
    with LOCK:
        remember(case, made)


def remember(case, made):
    first = case.path.strip("/").split("/")[0]
    if case.method == "POST" and case.path == f"/{first}" and first in POOLS:
        POOLS[first].append(made["id"])
        # The newest are the likeliest to be there still.
        del POOLS[first][:-20]
    if case.path == "/validate/document":
        # Of new ones nobody seals a report: those of the first are there, and the others would be waited for.
        for pool in ("infos", "validate"):
            POOLS[pool].append(made["id"])
            del POOLS[pool][:-20]
        return
    if case.path.endswith("/observers"):
        INNER["observer_id"].append((case.path_parameters["id"], made["id"]))
    for name, members, member in INSIDE:
        INNER[name] += [(made["id"], each[member]) for each in made.get(members) or [] if member in each]


INSIDE = (("sid", "signatures", "sid"), ("attachment_id", "attachments", "attachment_id"), ("document_id", "documents", "id"))


@atexit.register
def tell():
    with open("cases.json", "w") as file:
        json.dump([[*what, count] for what, count in sorted(SEEN.items())], file)

# What Schemathesis cannot know: what a PDF is, which ids there are, and what a business may ask for. Without it nearly
# everything would end at 400 and 404. Only cases that are meant to be good are changed, and not all of them; those that
# are meant to be bad stay so.
import base64
import json
import os
import threading

import schemathesis

PDF = base64.b64encode(open(os.environ["PARAPH_PDF"], "rb").read()).decode()
# What the test made before; grows while something is made.
POOLS = json.loads(os.environ["PARAPH_IDS"])
# What lies inside a request, each with the id of the request: {sid: [(id, sid), …]}.
INNER = {"sid": [], "attachment_id": [], "observer_id": [], "document_id": []}
TURN = {"n": 0}
LOCK = threading.Lock()


def turn():
    with LOCK:
        TURN["n"] += 1
        return TURN["n"]


def take(pool):
    known = POOLS[pool]
    return known[turn() % len(known)] if known else None


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is not None and not case.meta.generation.mode.is_positive:
        return
    # One in four is sent as it was made up.
    if turn() % 4 == 0:
        return
    # In a chain the ids are those of the answers before.
    if case.meta is None or case.meta.phase.name.value != "stateful":
        use_known_ids(case)
    else:
        # A key that was used before answers what was made then, which may be gone.
        (case.headers or {}).pop("Idempotency-Key", None)
    if isinstance(case.body, dict):
        tame(case.path, case.body)


def use_known_ids(case):
    first = case.path.strip("/").split("/")[0]
    given = (case.path_parameters or {}).get("id")
    if given is not None and first in POOLS:
        case.path_parameters["id"] = take(first) or given
    for name in list(case.path_parameters or {}):
        if INNER.get(name):
            case.path_parameters.update(id=INNER[name][-1][0], **{name: INNER[name][-1][1]})


# Refused for a reason that no schema tells: a feature that is off, a provider or a member that does not exist, an address.
RISKY = (
    "quality legislation creator expires_at visual_signature document_signatures signer_identity_data signer_group_id "
    "callback_success_url callback_update_url callback_error_url file_url group_id user_id"
).split()


def tame(path, body):
    for name in RISKY:
        body.pop(name, None)
    if path.endswith("/attachments"):
        body.update(content=base64.b64encode(b"notes").decode(), content_type="text/plain", filename="notes.txt")
    if path.endswith("/signatures"):
        body[mail_in(path)] = "ada@example.com"
    if path.endswith("/observers"):
        body.update(type="USER", email="olga@example.com")
    if path in ("/documents", "/signature-requests") and "id" not in body:
        with_document(path, body)
    if path == "/signature-requests" and isinstance(body.get("id"), str):
        body["id"] = take("signature-requests") or body["id"]
        body.pop("signatures", None)
    if path.endswith("/documents") and "document_id" in body:
        body["document_id"] = take("documents") or body["document_id"]
    if path == "/webhooks":
        body["url"] = "https://hooks.example.com/paraph"


def with_document(path, body):
    if path == "/documents" or (turn() % 2 and os.environ["PARAPH_VERSION"] != "v3"):
        body.update(content=PDF, content_type="application/pdf")
        body.pop("document_id", None)
    else:
        body["document_id"] = take("documents")
        for name in ("content", "content_type", "documents"):
            body.pop(name, None)
    for entry in body.get("signatures") or []:
        for name in RISKY:
            entry.pop(name, None)
        entry[mail_in(path)] = "ada@example.com"


def mail_in(path):
    return "signer_email_address" if os.environ["PARAPH_VERSION"] == "v1" else "account_email"


@schemathesis.hook
def after_call(context, case, response):
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
    if case.path.endswith("/observers"):
        INNER["observer_id"].append((case.path_parameters["id"], made["id"]))
    for name, members, member in INSIDE:
        INNER[name] += [(made["id"], each[member]) for each in made.get(members) or [] if member in each]


INSIDE = (("sid", "signatures", "sid"), ("attachment_id", "attachments", "attachment_id"), ("document_id", "documents", "id"))

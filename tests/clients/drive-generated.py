# The clients that were generated into {folder}, unchanged: log in, upload, create, list, read and validate. Reads
# {url, username, key, pdf, folder} as JSON and prints what it came to.
import base64
import io
import json
import sys

asked = json.load(sys.stdin)
sys.path.insert(0, asked["folder"])

import paraph_v2.models as v2
import paraph_v3.models as v3
import paraph_validation_v1.models as validation
from paraph_v2 import AuthenticatedClient as V2Client
from paraph_v2 import Client
from paraph_v2.api.access import login
from paraph_v2.api.documents import create_document, get_document_content, list_documents
from paraph_v2.api.events import list_events
from paraph_v2.api.signature_requests import (
    create_signature_request,
    get_signature_request,
    list_signature_requests,
    withdraw_signature_request,
)
from paraph_v2.types import File
from paraph_v3 import AuthenticatedClient as V3Client
from paraph_v3.api.documents import create_document as create_v3_document
from paraph_v3.api.signature_requests import create_signature_request as create_draft
from paraph_v3.api.signature_requests import initiate_signature_request
from paraph_v3.types import File as V3File
from paraph_validation_v1 import AuthenticatedClient as ValidationClient
from paraph_validation_v1.api.infos import get_signer_infos
from paraph_validation_v1.api.validate import validate_document

pdf = open(asked["pdf"], "rb").read()

credentials = v2.LoginBody(username=asked["username"], api_key=asked["key"])
token = login.sync(client=Client(base_url=asked["url"] + "/v2"), body=credentials)


def opened(kind, version):
    return kind(base_url=f"{asked['url']}/{version}", token=token, raise_on_unexpected_status=True)


client = opened(V2Client, "v2")
document = create_document.sync(client=client, body=File(payload=io.BytesIO(pdf)), title="Contract")
# The forms have no type for their file that a generator could make one of: what is not raw is sent in JSON.
content = base64.b64encode(pdf).decode()
in_json = create_document.sync(client=client, body=v2.DocumentCreateBody(title="Form", content=content))
created = create_signature_request.sync(
    client=client,
    body=v2.SignatureRequestCreateBody(
        title="Contract",
        document_id=document.id,
        signatures=[v2.NewSignature(account_email="ada@example.com")],
    ),
)
read = get_signature_request.sync(created.id, client=client)
listed = list_signature_requests.sync(client=client, signature_status="open", page_size="10")
withdrawn = withdraw_signature_request.sync(created.id, client=client, body=v2.SignatureRequestWithdrawBody())
refused = get_signature_request.sync("00000000-0000-4000-8000-000000000000", client=client)

preview = opened(V3Client, "v3")
v3_document = create_v3_document.sync(client=preview, body=V3File(payload=io.BytesIO(pdf)), title="Draft")
draft = create_draft.sync(
    client=preview,
    body=v3.SignatureRequestCreateBody(
        title="Draft",
        document_id=v3_document.id,
        signatures=[v3.NewSignature(account_email="bob@example.com")],
    ),
)
initiated = initiate_signature_request.sync(draft.id, client=preview)

validating = opened(ValidationClient, "validation/v1")
result = validate_document.sync(client=validating, body=validation.ValidationValidateBody(content=content))
signers = get_signer_infos.sync(result.id, client=validating)

print(
    json.dumps(
        {
            "read": read.to_dict(),
            "listed": [str(each.id) for each in listed],
            "documents": [each.title for each in list_documents.sync(client=client)],
            "inJson": in_json.title,
            "content": get_document_content.sync(document.id, client=client)[:5].decode(),
            "events": len(list_events.sync(client=client).events),
            "withdrawn": withdrawn.status_overall,
            "refused": [type(refused).__name__, refused.status],
            "draft": draft.status_overall,
            "initiated": initiated.status_overall,
            "signers": len(signers),
        }
    )
)

# skribble-sdk, unchanged: logs in, uploads, creates with signers, lists, reminds and deletes. Reads {url, username, key,
# pdf} as JSON and prints what it came to.
import base64
import json
import sys

import skribble

asked = json.load(sys.stdin)
content = base64.b64encode(open(asked["pdf"], "rb").read()).decode()

# The one thing that changes for an integrator.
skribble.SkribbleClient.BASE_URL = asked["url"] + "/v2"
token = skribble.init(username=asked["username"], api_key=asked["key"])
# It verifies a token by a list with a parameter that does not exist.
skribble.init(access_token=token)

document = skribble.document.add({"title": "Contract", "content_type": "application/pdf", "content": content})
created = skribble.signature_request.create({
    "title": "Contract",
    "message": "Please sign",
    "document_id": document.id,
    "quality": "SES",
    "signatures": [
        {"account_email": "ada@example.com"},
        {"signer_identity_data": {"email_address": "bob@example.com", "first_name": "Bob", "language": "de"}},
    ],
})
inline = skribble.signature_request.create({
    "title": "Inline",
    "content": content,
    "content_type": "application/pdf",
    "signatures": [{
        "account_email": "cleo@example.com",
        "visual_signature": {"position": {"x": 50, "y": 50, "width": 150, "height": 60, "page": "0"}},
    }],
})
added = skribble.signature_request.signer.add(created.id, {"account_email": "dora@example.com"})
dora = next(each for each in added.signatures if each.account_email == "dora@example.com")
skribble.signature_request.signer.remove(created.id, dora.sid)
updated = skribble.signature_request.update(created.id, {"title": "Contract, again"})
replaced = skribble.signature_request.signer.replace(inline.id, [{"account_email": "emil@example.com"}])
listed = skribble.signature_request.list(status_overall="OPEN", search="Contract")
by_signer = skribble.signature_request.list(account_email="ada@example.com")
read = skribble.signature_request.get(created.id)
reminded = skribble.signature_request.remind(inline.id)
withdrawn = skribble.signature_request.withdraw(inline.id, message="Not needed any more")
attachments = skribble.signature_request.attachment.add(
    created.id,
    skribble.AttachmentRequest(filename="notes.txt", content_type="text/plain",
                               content=base64.b64encode(b"notes").decode()),
)
attachment = skribble.signature_request.attachment.download(created.id, attachments[0]["attachment_id"])
skribble.signature_request.attachment.delete(created.id, attachments[0]["attachment_id"])
deleted = skribble.signature_request.delete(created.id)

print(json.dumps({
    "created": created.model_dump(),
    "updated": updated.title,
    "replaced": [each.account_email for each in replaced.signatures],
    "listed": [each.id for each in listed],
    "bySigner": [each.id for each in by_signer],
    "read": [each.account_email for each in read.signatures],
    "reminded": reminded.id,
    "withdrawn": withdrawn.status_overall,
    "attachment": attachment.decode(),
    "deleted": deleted["status"],
    "download": skribble.document.download(document.id)[:5].decode(),
    "preview": len(skribble.document.preview(document.id, 0)),
}))

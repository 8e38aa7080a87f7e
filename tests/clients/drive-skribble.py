# skribble, unchanged: logs in, uploads, creates with signers, lists, reminds and deletes. Reads {url, username, key, pdf}
# as JSON and prints what it came to.
import base64
import json
import sys

from skribble import SkribbleClient, SkribbleHTTPError
from skribble.config import SkribbleConfig

asked = json.load(sys.stdin)
content = base64.b64encode(open(asked["pdf"], "rb").read()).decode()

# The one thing that changes for an integrator.
config = SkribbleConfig(
    api_base_url=asked["url"] + "/v2",
    management_base_url=asked["url"] + "/management",
    app_base_url=asked["url"],
)
client = SkribbleClient(username=asked["username"], api_key=asked["key"], config=config)

document = client.documents.upload(title="Contract", content=content)
requests = client.signature_requests
created = requests.create(
    title="Contract",
    document_id=document["id"],
    signatures=[{"account_email": "ada@example.com", "sequence": 1}, {"account_email": "bob@example.com", "sequence": 2}],
    observers=["cc@example.com"],
    attach_on_success=["SIGNED_DOCUMENT"],
    callback_success_url="https://example.com/done?id=SERVICE_SIGNATURE_REQUEST_ID",
    disable_notifications=False,
)
inline = requests.create(title="Inline", content=content, signatures=[{"account_email": "cleo@example.com"}])
added = requests.add_signer(created["id"], account_email="dora@example.com")
dora = next(each for each in added["signatures"] if each["account_email"] == "dora@example.com")
requests.remove_signer(created["id"], dora["sid"])
updated = requests.update(created["id"], title="Contract, again")
listed = requests.list(status_overall="OPEN", search="Contract", page_number=1, page_size=10)
bulk = requests.get_bulk([inline["id"], created["id"]])
reminded = requests.remind(created["id"])
try:
    requests.remind(created["id"])
    again = 200
except SkribbleHTTPError as error:
    again = error.status_code
callbacks = requests.list_callbacks(created["id"])
withdrawn = requests.withdraw(inline["id"])
added = requests.add_attachment(
    created["id"], filename="notes.txt", content_type="text/plain", content=base64.b64encode(b"notes").decode())
attachment = added["attachments"][0]["attachment_id"]
downloaded = requests.download_attachment(created["id"], attachment)
requests.remove_attachment(created["id"], attachment)
requests.delete(created["id"])
try:
    requests.get(created["id"])
    gone = 200
except SkribbleHTTPError as error:
    gone = error.status_code

print(json.dumps({
    "created": created,
    "updated": updated["title"],
    "listed": [each["id"] for each in listed],
    "bulk": [each["id"] for each in bulk],
    "reminded": reminded["id"],
    "again": again,
    "callbacks": callbacks,
    "withdrawn": withdrawn["status_overall"],
    "attachment": downloaded.decode(),
    "gone": gone,
    "download": client.documents.download_content(document["id"])[:5].decode(),
    "documents": [each["id"] for each in client.documents.list()],
    "health": client.monitoring.system_health()["status"],
}))

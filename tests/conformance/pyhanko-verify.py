"""Lets pyHanko judge signed PDFs, many in one process.

In (standard input, JSON):  {"root": "root.pem", "files": ["a.pdf", …]}
Out (standard output, JSON): [{"file": …, "signatures": [{"field", "valid", "intact", "trusted", "coverage",
"modification", "bottomLine"}]} or {"file": …, "error": …}], signatures in the order of their revisions.
"""

import json
import logging
import sys

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko_certvalidator import ValidationContext


def main():
    logging.disable(logging.CRITICAL)
    order = json.load(sys.stdin)
    root = load_cert_from_pemder(order["root"])
    json.dump([judge(path, root) for path in order["files"]], sys.stdout)


def judge(path, root):
    try:
        with open(path, "rb") as file:
            reader = PdfFileReader(file, strict=True)
            return {"file": path, "signatures": [judge_signature(one, root) for one in reader.embedded_signatures]}
    except Exception as error:  # The verdict on a file must not cost the verdicts on the others.
        return {"file": path, "error": f"{type(error).__name__}: {error}"}


def judge_signature(signature, root):
    name = signature.field_name
    try:
        # Nothing is fetched, and nobody but the sandbox root is trusted.
        context = ValidationContext(trust_roots=[root], allow_fetching=False, other_certs=[])
        status = validate_pdf_signature(signature, context)
    except Exception as error:
        return {"field": name, "error": f"{type(error).__name__}: {error}"}
    return {
        "field": name,
        "valid": status.valid,
        "intact": status.intact,
        "trusted": status.trusted,
        "coverage": status.coverage.name,
        "modification": status.modification_level.name if status.modification_level is not None else None,
        "bottomLine": status.bottom_line,
    }


main()

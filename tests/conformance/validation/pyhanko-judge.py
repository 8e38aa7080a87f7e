"""Lets pyHanko judge signed PDFs by EN 319 102-1, each at a time of its own and with anchors of its own.

In (standard input, JSON):   {"files": [{"file": "a.pdf", "at": "2026-…Z", "anchors": ["Base64 of DER", …]}, …]}
Out (standard output, JSON): one line per file, {"file", "signatures": [{"field", "indication", "subIndication",
"coverage", "changesAllowed"}]} or {"file", "error"}.
"""

import asyncio
import base64
import json
import logging
import sys
from datetime import datetime

from asn1crypto.crl import CertificateList
from asn1crypto.ocsp import OCSPResponse
from asn1crypto.x509 import Certificate
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation.ades import ades_basic_validation, ades_lta_validation, ades_with_time_validation
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.policy_decl import (
    LocalKnowledge,
    PdfSignatureValidationSpec,
    RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.ltv.types import ValidationTimingInfo
from pyhanko_certvalidator.policy_decl import REQUIRE_REVINFO, CertRevTrustPolicy
from pyhanko_certvalidator.registry import SimpleTrustManager
from pyhanko_certvalidator.revinfo.archival import CRLContainer, OCSPContainer

SIGNATURE_TIMESTAMP = "signature_time_stamp_token"


def main():
    logging.disable(logging.CRITICAL)
    for order in json.load(sys.stdin)["files"]:
        print(json.dumps(judge(order)), flush=True)


def judge(order):
    try:
        with open(order["file"], "rb") as file:
            reader = PdfFileReader(file, strict=False)
            if reader.security_handler is not None:
                reader.decrypt(b"")
            signatures = [one for one in reader.embedded_signatures if one.sig_object_type != "/DocTimeStamp"]
            judged = [judge_signature(reader, one, order) for one in signatures]
            return {"file": order["file"], "signatures": judged}
    except Exception as error:  # The verdict on a file must not cost the verdicts on the others.
        return {"file": order["file"], "error": told(error)}


def judge_signature(reader, signature, order):
    verdict = {"field": signature.field_name}
    try:
        verdict.update(changes(signature))
        verdict.update(indication(asyncio.run(ades(reader, signature, order))))
    except Exception as error:
        verdict["error"] = told(error)
    return verdict


def changes(signature):
    signature.compute_integrity_info()
    info = signature.summarise_integrity_info()
    return {"coverage": info["coverage"].name, "changesAllowed": info["docmdp_ok"]}


async def ades(reader, signature, order):
    specified = specification(reader, order)
    at = datetime.fromisoformat(order["at"].replace("Z", "+00:00"))
    timing = ValidationTimingInfo(validation_time=at, best_signature_time=at, point_in_time_validation=True)
    if reader.embedded_timestamp_signatures:
        return await ades_lta_validation(signature, specified, timing_info=timing)
    unsigned = signature.signer_info["unsigned_attrs"]
    is_timed = any(attribute["type"].native == SIGNATURE_TIMESTAMP for attribute in unsigned or [])
    process = ades_with_time_validation if is_timed else ades_basic_validation
    return await process(
        signature.signed_data,
        specified.signature_validation_spec,
        timing_info=timing,
        raw_digest=signature.compute_digest(),
    )


def specification(reader, order):
    anchors = [Certificate.load(base64.b64decode(one)) for one in order["anchors"]]
    return PdfSignatureValidationSpec(
        SignatureValidationSpec(
            cert_validation_policy=CertValidationPolicySpec(
                trust_manager=SimpleTrustManager.build(trust_roots=anchors),
                revinfo_policy=CertRevTrustPolicy(REQUIRE_REVINFO),
            ),
            revinfo_gathering_policy=RevocationInfoGatheringSpec(RevinfoOnlineFetchingRule.LOCAL_ONLY),
            local_knowledge=validation_data(reader),
        )
    )


def validation_data(reader):
    if "/DSS" not in reader.root:
        return LocalKnowledge()
    dss = DocumentSecurityStore.read_dss(reader)
    ocsps = [OCSPResponse.load(one.get_object().data) for one in dss.ocsps]
    return LocalKnowledge(
        known_ocsps=[container for one in ocsps for container in OCSPContainer.load_multi(one)],
        known_crls=[CRLContainer(CertificateList.load(one.get_object().data)) for one in dss.crls],
        known_certs=list(dss.load_certs()),
    )


NAMES = {"AdESPassed": "TOTAL-PASSED", "AdESFailure": "TOTAL-FAILED", "AdESIndeterminate": "INDETERMINATE"}


def indication(result):
    found = result.ades_subindic
    name = NAMES[type(found).__name__]
    return {"indication": name} if name == "TOTAL-PASSED" else {"indication": name, "subIndication": found.name}


def told(error):
    return f"{type(error).__name__}: {error}"


main()

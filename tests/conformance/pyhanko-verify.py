"""Lets pyHanko judge signed PDFs, many in one process.

In (standard input, JSON):  {"roots": ["root.pem"], "files": ["a.pdf", …], "levels": true, "online": true}
Out (standard output, JSON): [{"file": …, "signatures": [{"field", "valid", "intact", "trusted", "coverage",
"modification", "bottomLine"}]} or {"file": …, "error": …}], signatures in the order of their revisions.

With "levels" each signature has also "timestamp" (its signature time-stamp is valid and trusted; absent if there is none),
"ades" (the verdict of the engine for EN 319 102-1, revocation required) and, where the file holds validation data,
"adesLater" (the same in ten years, or in "laterYears", when every certificate has expired). The file has "documentTimestamps", oldest first.
Without "online" nothing is fetched: what is not in the file is missing.
"""

import asyncio
import json
import logging
import sys
from datetime import datetime, timedelta, timezone

from asn1crypto.crl import CertificateList
from asn1crypto.ocsp import OCSPResponse
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.ades import (
    ades_basic_validation,
    ades_lta_validation,
    ades_with_time_validation,
    simulate_future_ades_lta_validation,
)
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.policy_decl import (
    LocalKnowledge,
    PdfSignatureValidationSpec,
    RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.policy_decl import REQUIRE_REVINFO, CertRevTrustPolicy
from pyhanko_certvalidator.registry import SimpleTrustManager
from pyhanko_certvalidator.revinfo.archival import CRLContainer, OCSPContainer

LATER_YEARS = 10


def main():
    logging.disable(logging.CRITICAL)
    order = json.load(sys.stdin)
    order["roots"] = [load_cert_from_pemder(root) for root in order["roots"]]
    json.dump([judge(path, order) for path in order["files"]], sys.stdout)


def judge(path, order):
    try:
        with open(path, "rb") as file:
            reader = PdfFileReader(file, strict=True)
            # pyHanko validates nothing in a hybrid-reference file with its strict reader, by design.
            strict = not reader.xrefs.hybrid_xrefs_present
            if not strict:
                reader = PdfFileReader(file, strict=False)
            signatures = [one for one in reader.embedded_signatures if one.sig_object_type != "/DocTimeStamp"]
            judged = [judge_signature(one, order) for one in signatures]
            verdict = {"file": path, "strict": strict, "signatures": judged}
            if order.get("levels"):
                timestamps = reader.embedded_timestamp_signatures
                verdict["documentTimestamps"] = [judge_timestamp(one, order) for one in timestamps]
            return verdict
    except Exception as error:  # The verdict on a file must not cost the verdicts on the others.
        return {"file": path, "error": told(error)}


def judge_signature(signature, order):
    name = signature.field_name
    try:
        status = validate_pdf_signature(signature, offline_context(order))
        verdict = {"field": name, **facts(status), "bottomLine": status.bottom_line}
        if order.get("levels"):
            if status.timestamp_validity is not None:
                verdict["timestamp"] = status.timestamp_validity.valid and status.timestamp_validity.trusted
            verdict.update(asyncio.run(judge_ades(signature, order, "timestamp" in verdict)))
        return verdict
    except Exception as error:
        return {"field": name, "error": told(error)}


def judge_timestamp(timestamp, order):
    try:
        status = validate_pdf_timestamp(timestamp, offline_context(order))
        return {"field": timestamp.field_name, **facts(status)}
    except Exception as error:
        return {"field": timestamp.field_name, "error": told(error)}


async def judge_ades(signature, order, timed):
    """The process of EN 319 102-1 for what the file has: basic (5.3), with time (5.5), with archive data (5.6)."""
    reader = signature.reader
    verdict = {"ades": indication(await ades_now(signature, order, timed))}
    if "/DSS" in reader.root:
        then = datetime.now(tz=timezone.utc) + timedelta(days=365 * order.get("laterYears", LATER_YEARS))
        later = await simulate_future_ades_lta_validation(signature, specification(reader, order), then)
        verdict["adesLater"] = indication(later)
    return verdict


async def ades_now(signature, order, timed):
    specified = specification(signature.reader, order)
    if signature.reader.embedded_timestamp_signatures:
        return await ades_lta_validation(signature, specified)
    process = ades_with_time_validation if timed else ades_basic_validation
    return await process(
        signature.signed_data, specified.signature_validation_spec, raw_digest=signature.compute_digest()
    )


def specification(reader, order):
    rule = RevinfoOnlineFetchingRule.ALWAYS_FETCH if order.get("online") else RevinfoOnlineFetchingRule.LOCAL_ONLY
    return PdfSignatureValidationSpec(
        SignatureValidationSpec(
            cert_validation_policy=CertValidationPolicySpec(
                trust_manager=SimpleTrustManager.build(trust_roots=order["roots"]),
                revinfo_policy=CertRevTrustPolicy(REQUIRE_REVINFO),
            ),
            revinfo_gathering_policy=RevocationInfoGatheringSpec(rule),
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


def indication(result):
    # A message can come with a passed one too: that a second attempt was not needed.
    kind, name = type(result.ades_subindic).__name__, result.ades_subindic.name
    return "PASSED" if kind == "AdESPassed" else f"{kind}.{name}: {result.failure_msg}"


def offline_context(order):
    # Nothing is fetched, and nobody but the given roots is trusted.
    return ValidationContext(trust_roots=order["roots"], allow_fetching=False, other_certs=[])


def facts(status):
    return {
        "valid": status.valid,
        "intact": status.intact,
        "trusted": status.trusted,
        "coverage": status.coverage.name,
        "modification": status.modification_level.name if status.modification_level is not None else None,
    }


def told(error):
    return f"{type(error).__name__}: {error}"


main()

"""pyHanko, signing in memory at B-B: an order on standard input, one line of JSON per job (beside.ts)."""

import json
import logging
import sys
import time
from io import BytesIO

from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import SigSeedSubFilter

# What it has to say about a file is not what is measured, and printing it would be.
logging.disable(logging.CRITICAL)


def main():
    for job in json.load(sys.stdin)["jobs"]:
        try:
            answer = fastest(job)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def fastest(job):
    files = job["files"]
    signer = signers.SimpleSigner.load(files["key"], files["certificate"], ca_chain_files=[files["issuer"]])
    with open(job["file"], "rb") as file:
        pdf = file.read()
    metadata = signers.PdfSignatureMetadata(
        field_name="Paraph-1", md_algorithm="sha256", subfilter=SigSeedSubFilter.PADES
    )
    best = {"clockMs": float("inf"), "processorMs": float("inf")}
    end = time.perf_counter() + job["seconds"]
    for run in range(job["runs"]):
        if run > 0 and time.perf_counter() > end:
            break
        # In place, which spares it a copy of the file.
        buffer = BytesIO(pdf)
        clock, processor = time.perf_counter(), time.process_time()
        signers.sign_pdf(IncrementalPdfFileWriter(buffer), metadata, signer=signer, in_place=True)
        spent = {"clockMs": time.perf_counter() - clock, "processorMs": time.process_time() - processor}
        best = {name: min(best[name], spent[name] * 1000) for name in best}
        if buffer.getbuffer().nbytes <= len(pdf):
            raise ValueError("Nothing was appended.")
    return best


main()

"""Lets pyHanko put a document time-stamp upon a PDF: a foreign one, to learn what a judge says of such things at all.

In (standard input, JSON): {"input": "a.pdf", "output": "b.pdf", "authority": "http://…"}
"""

import asyncio
import json
import sys

import aiohttp
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.signers import PdfTimeStamper
from pyhanko.sign.timestamps.aiohttp_client import AIOHttpTimeStamper


async def main():
    order = json.load(sys.stdin)
    async with aiohttp.ClientSession() as session:
        authority = AIOHttpTimeStamper(order["authority"], session)
        with open(order["input"], "rb") as base, open(order["output"], "wb") as output:
            stamper = PdfTimeStamper(authority)
            await stamper.async_timestamp_pdf(IncrementalPdfFileWriter(base), "sha256", output=output)


asyncio.run(main())

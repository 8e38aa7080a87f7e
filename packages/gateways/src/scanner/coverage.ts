/** EICAR's test file, which every scanner finds. In two parts, so that it is not found in this one. */
const EICAR = `X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-${"ANTIVIRUS-TEST-FILE!$H+H*"}`
const FILLER_BYTES = 1_000_000

/** A PDF of exactly this size, whose last stream is EICAR's test file and nothing else, as the signature wants it. */
export async function* plantedDocument(sizeBytes: number): AsyncGenerator<Uint8Array> {
  const tail = `\nendstream\nendobj\n2 0 obj\n<</Length ${EICAR.length}>>\nstream\n${EICAR}\nendstream\nendobj\n%%EOF\n`
  const lengthDigits = String(sizeBytes).length
  const opening = (length: number) =>
    `%PDF-1.7\n1 0 obj\n<</Length ${String(length).padStart(lengthDigits, "0")}>>\nstream\n`
  const fillerBytes = sizeBytes - opening(0).length - tail.length
  if (fillerBytes < 0) throw new RangeError(`${sizeBytes} bytes are too few for a document with malware.`)

  yield Buffer.from(opening(fillerBytes))
  const filler = Buffer.alloc(FILLER_BYTES)
  for (let left = fillerBytes; left > 0; left -= FILLER_BYTES)
    yield filler.subarray(0, Math.min(left, FILLER_BYTES))
  yield Buffer.from(tail)
}

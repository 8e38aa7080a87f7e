import { OutboundFailed } from "../outbound/failed.ts"
import type { Outbound } from "../outbound/outbound.ts"

const TIMEOUT_MS = 120_000

/** The bytes are read once, and to the end or until the reader leaves: until then the connection stands. */
export type FetchedFile = { readonly contentType: string; readonly bytes: AsyncIterable<Uint8Array> }

/** Downloads what `file_url` names; the type is the one of the HTTP header, without its parameters. */
export async function fetchFile(
  outbound: Outbound,
  url: string,
  { maxBytes }: { readonly maxBytes: number },
): Promise<FetchedFile> {
  const { status, headers, body, close } = await outbound.open("download", url, {
    method: "GET",
    headers: { accept: "application/pdf, */*;q=0.1" },
    maxBytes,
    timeoutMs: TIMEOUT_MS,
  })
  const refused = status === 200 ? refusedEncoding(headers["content-encoding"]) : notFound(status)
  if (refused !== null) {
    close()
    throw refused
  }
  const contentType = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""
  return { contentType, bytes: body }
}

function notFound(status: number): OutboundFailed {
  return new OutboundFailed("status", `The server answered ${status}.`)
}

/** RFC 9110, 12.5.3: we said that only the bytes as they are will do, so encoded ones are not the file. */
function refusedEncoding(encoding = ""): OutboundFailed | null {
  if (["", "identity"].includes(encoding.trim().toLowerCase())) return null
  return new OutboundFailed(
    "unsupported-answer",
    "The server sent the file encoded, which was not asked for.",
  )
}

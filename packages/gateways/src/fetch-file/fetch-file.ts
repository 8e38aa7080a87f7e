import { OutboundFailed } from "../outbound/failed.ts"
import type { Outbound } from "../outbound/outbound.ts"

const TIMEOUT_MS = 120_000

export type FetchedFile = { readonly contentType: string; readonly bytes: Uint8Array }

/** Downloads what `file_url` names; the type is the one of the HTTP header, without its parameters. */
export async function fetchFile(
  outbound: Outbound,
  url: string,
  { maxBytes }: { readonly maxBytes: number },
): Promise<FetchedFile> {
  const { status, headers, body } = await outbound.request("download", url, {
    method: "GET",
    headers: { accept: "application/pdf, */*;q=0.1" },
    maxBytes,
    timeoutMs: TIMEOUT_MS,
  })
  if (status !== 200) throw new OutboundFailed("status", `The server answered ${status}.`)
  const contentType = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""
  return { contentType, bytes: body }
}

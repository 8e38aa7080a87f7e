import type { Caller } from "../access/caller.ts"
import { mayReadRequest, mustReadRequest } from "../access/may.ts"
import type { Read } from "../ports.ts"
import type { SignatureRequest } from "./model.ts"
import type { ListRequests, RequestPage } from "./new-request.ts"

type Parts = { readonly read: Read }

/** Part 4.3: the request with its current state. */
export async function readSignatureRequest(
  parts: Parts,
  caller: Caller,
  id: string,
): Promise<SignatureRequest> {
  return mustReadRequest(
    caller,
    await parts.read(caller.businessId, (reading) => reading.findRequest(id), "once"),
  )
}

/** Decisions, "bulk read": in the order asked for; what the caller may not read is left out, as what is not there. */
export async function readSignatureRequests(
  parts: Parts,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly SignatureRequest[]> {
  const found = await parts.read(caller.businessId, (reading) => reading.findRequests(ids), "once")
  return found.filter((request) => mayReadRequest(caller, request))
}

/** Part 4.3: what the caller may read, newest first. What the list is found by is not what decides. */
export async function listSignatureRequests(
  parts: Parts,
  caller: Caller,
  asked: ListRequests,
): Promise<RequestPage> {
  const page = await parts.read(caller.businessId, (reading) => reading.listRequests(caller, asked))
  return { ...page, requests: page.requests.filter((request) => mayReadRequest(caller, request)) }
}

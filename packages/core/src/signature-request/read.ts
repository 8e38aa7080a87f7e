import type { Caller } from "../access/caller.ts"
import { mustRead } from "../access/may.ts"
import type { Read } from "../ports.ts"
import type { SignatureRequest } from "./model.ts"

/** Part 4.3: the request with its current state. */
export async function readSignatureRequest(
  parts: { readonly read: Read },
  caller: Caller,
  id: string,
): Promise<SignatureRequest> {
  return mustRead(caller, await parts.read(caller.businessId, (reading) => reading.findRequest(id)))
}

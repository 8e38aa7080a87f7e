import { Refusal } from "@paraph/core/refusal"
import type { SignatureState } from "@paraph/core/signature-request/model"
import type { ListRequests, RequestPage } from "@paraph/core/signature-request/new-request"
import { Type } from "typebox"
import { Email, type Members, Uuid } from "./fields.ts"
import { linksBeside, listMembers, readPaging } from "./list.ts"

/** Part 4.3; decisions, "list". */
export const requestListMembers = {
  ...listMembers,
  status_overall: Type.Optional(
    Type.Enum(["DRAFT", "OPEN", "SIGNED", "DECLINED", "ERROR", "EXPIRED", "WITHDRAWN"]),
  ),
  signature_status: Type.Optional(
    Type.Enum(["open", "declined", "signed", "error", "OPEN", "DECLINED", "SIGNED", "ERROR"]),
  ),
  // As answers show the signer: an address, or the opaque identifier of one without an account (SR-13).
  signer_email_address: Type.Optional(Type.Union([Email, Uuid])),
  account_email: Type.Optional(Type.Union([Email, Uuid])),
}
type ListQuery = Members<typeof requestListMembers>

export function readRequestList(query: ListQuery): ListRequests {
  const { signer_email_address: byOldName, account_email: byNewName } = query
  if (byOldName !== undefined && byNewName !== undefined && byOldName !== byNewName)
    throw new Refusal("constraint-violated", "signer_email_address and account_email are the same filter.")
  return {
    ...readPaging(query),
    status: query.status_overall ?? null,
    signatureState: (query.signature_status?.toLowerCase() as SignatureState | undefined) ?? null,
    signerEmail: byNewName ?? byOldName ?? null,
  }
}

/** As for documents; the links keep the filters. */
export function writeRequestLinks(address: string, asked: ListRequests, page: RequestPage): string | null {
  const { requests, hasNext, hasPrevious } = page
  const filters = {
    ...(asked.status !== null && { status_overall: asked.status }),
    ...(asked.signatureState !== null && { signature_status: asked.signatureState }),
    ...(asked.signerEmail !== null && { account_email: asked.signerEmail }),
  }
  return linksBeside(address, { ...asked, filters }, { entries: requests, hasNext, hasPrevious })
}

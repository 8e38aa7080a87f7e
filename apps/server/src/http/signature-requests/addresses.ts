import type { Addresses } from "@paraph/contract/shared/fields"
import type { Caller } from "@paraph/core/access/caller"
import { mayWrite } from "@paraph/core/access/may"
import type { SignatureRequest } from "@paraph/core/signature-request/model"
import type { Parts } from "../../parts.ts"

/**
 * Who has the address of a signer without an account comes in as that signer, and is seen as having looked. So it is told to
 * those who manage the request, and not to those who may only read it (choice 107). So are callback URLs: many hold a token,
 * and whoever knows one can say to the integrator that everybody has signed (choice 201).
 */
export const addressesFor = (
  { addresses }: Pick<Parts, "addresses">,
  caller: Caller,
  request: SignatureRequest,
): Addresses =>
  mayWrite(caller, request) ? addresses : { ...addresses, previewUrl: () => null, callbackUrl: () => null }

import type { Kind } from "@paraph/core/signature-request/model"
import * as authorities from "./authorities.ts"
import type { ServiceDatabase } from "./database.ts"
import * as issued from "./issued-certificates.ts"

/** All that the built-in authority keeps, in one place: the gateway says what it needs, and this is who has it. */
export const createAuthorityRecords = (db: ServiceDatabase) => ({
  authorities: (kind: Kind) => authorities.listAuthorities(db, kind),
  addAuthority: (authority: authorities.NewAuthority) => authorities.addAuthority(db, authority),
  completeAuthority: (id: string, made: authorities.MadeAuthority) =>
    authorities.completeAuthority(db, id, made),
  recordOrder: (order: issued.NewIssued, at: Date) => issued.recordOrder(db, order, at),
  completeOrder: (
    of: Pick<issued.Issued, "issuerId" | "serial">,
    certificate: Uint8Array,
    first: issued.DueAnswer,
  ) => issued.completeOrder(db, of, certificate, first),
  findIssued: (issuerId: string, serial: Uint8Array) => issued.findIssued(db, issuerId, serial),
  claimDueAnswers: (due: Parameters<typeof issued.claimDueAnswers>[1]) => issued.claimDueAnswers(db, due),
  keepAnswer: (of: issued.Issued, next: issued.DueAnswer) => issued.keepAnswer(db, of, next),
  listRevoked: (issuerId: string) => issued.listRevoked(db, issuerId),
  findList: (authorityId: string) => authorities.findList(db, authorityId),
  keepList: (authorityId: string, list: authorities.RevocationList) =>
    authorities.keepList(db, authorityId, list),
})

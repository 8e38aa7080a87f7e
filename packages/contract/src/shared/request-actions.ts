import { LIMITS } from "@paraph/core/limits"
import { Type } from "typebox"
import { type Members, TEXT, Uuid } from "./fields.ts"

/** What is sent with the operations on a request that is there already: equal in every version (decisions). */

export const withdrawMembers = {
  message: Type.Optional(
    Type.Union([Type.String({ maxLength: LIMITS.withdrawCharacters, pattern: TEXT }), Type.Null()]),
  ),
}
export const readWithdraw = ({ message }: Members<typeof withdrawMembers>): string | null => message ?? null

/** Null means everybody whose turn it is. */
export const remindMembers = {
  sids: Type.Optional(
    Type.Union([Type.Array(Uuid, { minItems: 1, maxItems: LIMITS.signersPerRequest }), Type.Null()]),
  ),
}
export const readRemind = ({ sids }: Members<typeof remindMembers>): readonly string[] | null =>
  sids?.map((sid) => sid.toLowerCase()) ?? null

export const BulkBody = Type.Array(Uuid, { maxItems: LIMITS.bulkIds })
export type BulkBody = Type.Static<typeof BulkBody>
/** As the store writes them; so many are asked for once, whatever they were sent as. */
export const readBulk = (ids: BulkBody): readonly string[] => [...new Set(ids.map((id) => id.toLowerCase()))]

export const SignatureParams = Type.Object({ id: Uuid, sid: Uuid })
export type SignatureParams = Type.Static<typeof SignatureParams>

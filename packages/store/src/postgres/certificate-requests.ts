import type { Kind } from "@paraph/core/signature-request/model"
import type { ServiceDatabase } from "./database.ts"

/** A certificate that somebody else was asked for. */
export type CertificateRequest = {
  readonly kind: Kind
  readonly orderId: string
  readonly orderHash: Uint8Array
  /** PKCS#10, as it was asked the first time and will be asked again. */
  readonly request: Uint8Array
  readonly askAt: Date
  readonly issued: { readonly certificate: Uint8Array; readonly chain: readonly Uint8Array[] } | null
}

type Key = Pick<CertificateRequest, "kind" | "orderId">

export const createCertificateRequests = (db: ServiceDatabase) => {
  const find = async ({ kind, orderId }: Key): Promise<CertificateRequest | null> => {
    const row = await db
      .selectFrom("certificate_request")
      .selectAll()
      .where("kind", "=", kind)
      .where("order_id", "=", orderId)
      .executeTakeFirst()
    if (row === undefined) return null
    const { order_hash: orderHash, request, ask_at: askAt, certificate, chain } = row
    const issued = certificate === null ? null : { certificate, chain }
    return { kind, orderId, orderHash, request, askAt, issued }
  }
  const change = (of: Key) =>
    db.updateTable("certificate_request").where("kind", "=", of.kind).where("order_id", "=", of.orderId)
  return {
    find,
    /** Before anybody is asked; the first one stands. */
    record: async (request: Omit<CertificateRequest, "askAt" | "issued">, at: Date): Promise<void> => {
      await db
        .insertInto("certificate_request")
        .values({
          kind: request.kind,
          order_id: request.orderId,
          order_hash: Buffer.from(request.orderHash),
          request: Buffer.from(request.request),
          ask_at: at,
          chain: [],
          created_at: at,
        })
        .onConflict((known) => known.doNothing())
        .execute()
    },
    /** Whoever gets true asks now, and nobody else until then. */
    claim: async (of: Key, now: Date, until: Date): Promise<boolean> => {
      const { numUpdatedRows } = await change(of)
        .set({ ask_at: until })
        .where("ask_at", "<=", now)
        .where("certificate", "is", null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    askAgainAt: async (of: Key, at: Date): Promise<void> => {
      await change(of).set({ ask_at: at }).execute()
    },
    /** The first certificate stands. */
    complete: async (of: Key, issued: NonNullable<CertificateRequest["issued"]>): Promise<void> => {
      await change(of)
        .set({
          certificate: Buffer.from(issued.certificate),
          chain: issued.chain.map((der) => Buffer.from(der)),
        })
        .where("certificate", "is", null)
        .execute()
    },
  }
}

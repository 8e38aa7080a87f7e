import type { ServiceDatabase } from "./database.ts"

export type ServiceCertificate = {
  readonly name: string
  readonly subject: string
  readonly notAfter: Date
}

/** The worker has the certificates; whoever answers an operator may be another process, on another machine. */
export async function noteCertificates(
  db: ServiceDatabase,
  certificates: readonly ServiceCertificate[],
  at: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom("service_certificate").execute()
    const rows = certificates.map(({ name, subject, notAfter }) => ({ name, subject, not_after: notAfter }))
    if (rows.length === 0) return
    await trx
      .insertInto("service_certificate")
      .values(rows.map((row) => ({ ...row, noted_at: at })))
      // Another worker, which starts at the same time, has noted the same.
      .onConflict((known) => known.column("name").doNothing())
      .execute()
  })
}

/** Those that end first come first. */
export const listCertificates = (db: ServiceDatabase): Promise<readonly ServiceCertificate[]> =>
  db
    .selectFrom("service_certificate")
    .select(["name", "subject", "not_after as notAfter"])
    .orderBy("not_after")
    .execute()

// What the tests of the built-in authority share: its keys in SoftHSM2, its records in a database of their own, and OpenSSL as the judge.

import { execFile } from "node:child_process"
import { randomBytes, randomUUID, X509Certificate } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CertificateOrder, createBuiltInAuthority } from "@paraph/gateways/issuing-ca/built-in"
import { createLocalRevocation } from "@paraph/gateways/issuing-ca/local-revocation"
import type { AuthorityRecords, Kind } from "@paraph/gateways/issuing-ca/records"
import { initAuthority } from "@paraph/gateways/issuing-ca/roll"
import { type AuthorityWorld, serialOf } from "@paraph/gateways/issuing-ca/world"
import { type Keys, startKeys } from "@paraph/gateways/keys"
import { makeSofthsmToken } from "@paraph/gateways/testing/softhsm-token"
import { readCertificate } from "@paraph/pki/certificate"
import type { RevocationPorts } from "@paraph/pki/revocation-evidence"
import { collectValidationData } from "@paraph/pki/validation-data"
import { createAuthorityRecords } from "@paraph/store/postgres/authority-records"
import { findIssued, type Issued } from "@paraph/store/postgres/issued-certificates"
import { createOwnDatabase, type OwnDatabase } from "@paraph/store/testing/own-database"

export const DAY_MS = 86_400_000
export const SETTINGS = { issuingDays: 400, serviceDays: 30 }
export const OPERATOR = { organization: "Müller Söhne AG", country: "CH" }
export const ADDRESS = "http://sign.example.org"
export const BEGINNING = new Date("2026-11-16T09:00:00Z")
export const NOBODY: RevocationPorts = {
  askOcsp: async (url) => Promise.reject(new Error(`${url} was asked over the network`)),
  fetchCrl: async (url) => Promise.reject(new Error(`${url} was fetched over the network`)),
}

/** A token for workers, and one for a root that is elsewhere. */
export type Token = {
  readonly keys: Keys
  readonly rootKeys: Keys
  readonly signer: Uint8Array
  readonly folder: string
  readonly close: () => Promise<void>
}

export async function openToken(): Promise<Token> {
  const tokens = [makeSofthsmToken(), makeSofthsmToken()] as const
  const [keys, rootKeys] = [startKeys(tokens[0].settings), startKeys(tokens[1].settings)]
  const folder = mkdtempSync(join(tmpdir(), "paraph-authority-"))
  return {
    keys,
    rootKeys,
    folder,
    signer: await keys.generate("signer", "P-256"),
    close: async () => {
      await Promise.all([keys.close(), rootKeys.close()])
      for (const token of tokens) token.remove()
      rmSync(folder, { recursive: true })
    },
  }
}

/** An authority that nobody has initialised yet. */
export type Office = {
  readonly database: OwnDatabase
  readonly records: AuthorityRecords
  readonly world: AuthorityWorld
  readonly init: (kind?: Kind) => Promise<void>
  readonly order: (more?: Partial<CertificateOrder>, now?: Date) => CertificateOrder
  readonly issue: (
    order: CertificateOrder,
    now?: Date,
  ) => ReturnType<ReturnType<typeof createBuiltInAuthority>>
  readonly issuedRow: (certificate: Uint8Array) => Promise<Issued>
  /** What raising a signature does: every certificate of the path needs somebody's word, and nobody outside may be asked. */
  readonly evidence: (
    certificate: Uint8Array,
    chain: readonly Uint8Array[],
    now: Date,
  ) => ReturnType<typeof collectValidationData>
}

export async function openOffice({ keys, signer }: Token): Promise<Office> {
  const database = await createOwnDatabase({ migrated: true })
  const records = createAuthorityRecords(database.db)
  const world: AuthorityWorld = {
    records,
    keys: () => keys,
    address: ADDRESS,
    policies: ["2.999.1.2"],
    randomBytes,
    newId: randomUUID,
  }
  return {
    database,
    records,
    world,
    init: async (kind = "production") =>
      void (await initAuthority(world, kind, OPERATOR, SETTINGS, BEGINNING)),
    order: (more = {}, now = BEGINNING) => ({
      id: randomUUID(),
      kind: "production",
      subject: {
        commonName: "François Dvořák-Şahin",
        givenName: "François",
        surname: "Dvořák-Şahin",
        organization: null,
        country: "RO",
        serialNumber: "7f3a",
      },
      keyLabel: "signer",
      publicKeySpki: signer,
      notAfter: new Date(now.getTime() + 30 * DAY_MS),
      nameProof: null,
      ...more,
    }),
    issue: (order, now = BEGINNING) => createBuiltInAuthority(world)(order, now),
    issuedRow: async (certificate) => {
      const serial = serialOf(readCertificate(certificate).serialNumber) ?? new Uint8Array()
      for (const { id } of await records.authorities("production")) {
        const row = await findIssued(database.db, id, serial)
        if (row !== null) return row
      }
      throw new Error("The certificate is not on record.")
    },
    evidence: (certificate, chain, now) =>
      collectValidationData([{ certificate: readCertificate(certificate), at: now }], {
        now,
        anchors: [readCertificate(chain.at(-1) ?? certificate)],
        known: { certificates: chain, ocspResponses: [], crls: [] },
        ports: createLocalRevocation(world, NOBODY, () => now),
      }),
  }
}

export function writePem({ folder }: Pick<Token, "folder">, name: string, der: Uint8Array): string {
  const file = join(folder, `${name}.pem`)
  writeFileSync(file, new X509Certificate(der).toString())
  return file
}

export const seconds = (at: Date): string => String(Math.floor(at.getTime() / 1000))

export function openssl(
  ...args: readonly string[]
): Promise<{ readonly ok: boolean; readonly text: string }> {
  return new Promise((resolve) => {
    execFile("openssl", [...args], (error, stdout, stderr) =>
      resolve({ ok: error === null, text: stdout + stderr }),
    )
  })
}

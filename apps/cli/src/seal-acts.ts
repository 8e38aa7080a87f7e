import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { LIMITS } from "@paraph/core/limits"
import { begin, certifySeal, subjectOf } from "@paraph/core/seal/certify"
import { readHolder, readSealName } from "@paraph/core/seal/holder"
import { certificateOf, SEAL_KEYS, type Seal, stateOf } from "@paraph/core/seal/model"
import type { Kind } from "@paraph/core/signature-request/model"
import { readInstalledSeal, requestSeal } from "@paraph/gateways/issuing-ca/seal-request"
import type { Keys } from "@paraph/gateways/keys"
import { openIssuer } from "@paraph/server/authority-parts"
import type { Config } from "@paraph/server/config"
import { certificateRows, sealKeyIn, validityOf } from "@paraph/server/seal-parts"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { allSealsOf, endSeal, insertSeal } from "@paraph/store/postgres/seals"
import { given, type Options, oneOf, optional } from "./admin-act.ts"
import { NotUnderstood } from "./not-understood.ts"
import { alsoJson } from "./synopsis.ts"

export type SealDesk = {
  readonly db: ServiceDatabase
  readonly config: Config
  readonly keys: (kind: Kind) => Keys
  readonly businessId: string
  readonly now: Date
}

type Done = { readonly seal: string; readonly told: object; readonly printed?: string }

export type SealAct = {
  readonly usage: string
  readonly about: string
  readonly changes: boolean
  /** First what was typed is understood, all of it; only then is anything opened. */
  readonly read: (options: Options) => (desk: SealDesk) => Promise<Done>
}

const WHICH = "--business ID --kind demo|production --name NAME"
const COMPANY = `--organization NAME [--identifier ID] [--country CODE] [--key ${SEAL_KEYS.join("|")}]`

export const SEAL_ACTS: Readonly<Record<string, SealAct>> = alsoJson({
  create: {
    usage: `${WHICH} ${COMPANY}`,
    about: "a seal of a company: a key in the HSM, and a certificate of this service's authority",
    changes: true,
    read: (options) => {
      const wanted = companyOf(options, "service")
      return async (desk) => {
        const seal = await newSeal(desk, wanted)
        const issueCertificate = openIssuer(desk.config, desk.db, desk.keys)
        const sealKey = sealKeyIn(desk.keys)
        const rows = certificateRows(desk.db)
        const parts = { ...rows, sealKey, issueCertificate, validityOf, newId: randomUUID }
        const made = await certifySeal(parts, seal, desk.now)
        return told({ ...seal, certificates: [made] }, desk.now)
      }
    },
  },

  request: {
    usage: `${WHICH} [--organization NAME] [--identifier ID] [--country CODE] [--key ${SEAL_KEYS.join("|")}]`,
    about:
      "asks for a certificate by somebody else: prints a PKCS#10 request in PEM; again before the old one ends",
    changes: true,
    read: (options) => {
      const which = whichOf(options)
      const wanted = optional(options, "organization") === undefined ? null : companyOf(options, "outside")
      return async (desk) => {
        const seal = await (wanted === null ? outsideSeal(desk, which) : newSeal(desk, wanted))
        const begun = await begin({ ...certificateRows(desk.db), newId: randomUUID }, seal, desk.now)
        const { keyLabel } = begun
        const publicKeySpki = await sealKeyIn(desk.keys)(seal.kind, keyLabel, seal.key)
        const asked = { keyLabel, publicKeySpki, subject: subjectOf(seal), key: seal.key }
        const request = await requestSeal(desk.keys(seal.kind), asked)
        const printed = pem("CERTIFICATE REQUEST", request)
        return { seal: seal.id, told: { ...shown(seal, desk.now), "key-label": keyLabel }, printed }
      }
    },
  },

  install: {
    usage: `${WHICH} --file FILE`,
    about: "takes the certificate that was asked for, and its issuers up to the root, in PEM",
    changes: true,
    read: (options) => {
      const which = whichOf(options)
      const content = contentOf(given(options, "file"))
      return async (desk) => {
        const seal = await outsideSeal(desk, which)
        const begun = seal.certificates.find(({ issued }) => issued === null)
        if (begun === undefined)
          throw new NotUnderstood("Nothing was requested: paraph seal request comes first.")
        const publicKeySpki = await desk.keys(seal.kind).publicKey(begun.keyLabel)
        if (publicKeySpki === null)
          throw new NotUnderstood("The key that was requested for is not in this token.")
        const expected = { publicKeySpki, organization: seal.holder.organization }
        const issued = readInstalledSeal(content, expected, desk.now)
        await certificateRows(desk.db).completeCertificate(begun.id, issued)
        return told({ ...seal, certificates: [...seal.certificates, { ...begun, issued }] }, desk.now)
      }
    },
  },

  list: {
    usage: "--business ID",
    about: "the seals of a business, those that have ended among them",
    changes: false,
    read:
      () =>
      async ({ db, businessId, now }) => {
        const seals = await allSealsOf(db, businessId)
        return { seal: "", told: { seals: seals.map((seal) => shown(seal, now)) } }
      },
  },

  end: {
    usage: WHICH,
    about: "for good: nothing is sealed with it any more, and its keys are destroyed; what was sealed stays",
    changes: true,
    read: (options) => {
      const which = whichOf(options)
      return async (desk) => {
        const seal = await named(desk, which)
        await endSeal(desk.db, seal.id, desk.now)
        for (const { keyLabel } of seal.certificates) await desk.keys(seal.kind).destroy(keyLabel)
        return told({ ...seal, endedAt: desk.now }, desk.now)
      }
    },
  },
})

type Which = Pick<Seal, "kind" | "name">
type Company = Which & Pick<Seal, "holder" | "key" | "issuer">

const whichOf = (options: Options): Which => ({
  kind: oneOf(options, "kind", ["demo", "production"]),
  name: readSealName(given(options, "name")),
})

const companyOf = (options: Options, issuer: Seal["issuer"]): Company => ({
  ...whichOf(options),
  holder: readHolder({
    organization: given(options, "organization"),
    identifier: optional(options, "identifier") ?? null,
    country: optional(options, "country") ?? null,
  }),
  key: optional(options, "key") === undefined ? "P-256" : oneOf(options, "key", SEAL_KEYS),
  issuer,
})

async function newSeal({ db, businessId, now }: SealDesk, wanted: Company): Promise<Seal> {
  const seals = (await allSealsOf(db, businessId)).filter(({ endedAt }) => endedAt === null)
  if (seals.length >= LIMITS.sealsPerBusiness)
    throw new NotUnderstood(`A business has at most ${LIMITS.sealsPerBusiness} seals.`)
  const known = seals.find((seal) => isNamed(seal, wanted))
  // Whoever was cut off before the certificate was there types the same again.
  const isSame = known?.certificates.every(({ issued }) => issued === null) && sameCompany(known, wanted)
  if (known !== undefined && !isSame) throw new NotUnderstood("There is a seal of this name already.")
  return known ?? insertSeal(db, { id: randomUUID(), businessId, ...wanted, createdAt: now })
}

const sameCompany = (seal: Seal, { holder, key, issuer }: Company): boolean =>
  JSON.stringify([seal.holder, seal.key, seal.issuer]) === JSON.stringify([holder, key, issuer])

const isNamed = (seal: Seal, { kind, name }: Which): boolean =>
  seal.kind === kind && seal.name.toLowerCase() === name.toLowerCase()

async function named({ db, businessId }: SealDesk, which: Which): Promise<Seal> {
  const seals = await allSealsOf(db, businessId)
  const found = seals.find((seal) => seal.endedAt === null && isNamed(seal, which))
  if (found === undefined) throw new NotUnderstood("There is no seal of this name.")
  return found
}

async function outsideSeal(desk: SealDesk, which: Which): Promise<Seal> {
  const seal = await named(desk, which)
  if (seal.issuer !== "outside")
    throw new NotUnderstood("The certificates of this seal are made by the service's own authority.")
  return seal
}

const told = (seal: Seal, now: Date): Done => ({ seal: seal.id, told: shown(seal, now) })

const shown = (seal: Seal, now: Date) => ({
  seal: seal.id,
  kind: seal.kind,
  name: seal.name,
  ...seal.holder,
  issuer: seal.issuer,
  key: seal.key,
  state: stateOf(seal, now),
  "not-after": certificateOf(seal, now)?.issued.notAfter ?? null,
})

function pem(what: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${what}-----`, ...lines, `-----END ${what}-----`].join("\n")
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    throw new NotUnderstood(`${file} cannot be read.`)
  }
}

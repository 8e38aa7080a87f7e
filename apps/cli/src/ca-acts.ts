import { readFileSync } from "node:fs"
import { refreshAnswers } from "@paraph/gateways/issuing-ca/answers"
import type { Authority, Kind } from "@paraph/gateways/issuing-ca/records"
import { installAuthority, requestAuthority } from "@paraph/gateways/issuing-ca/request"
import { initAuthority, roll } from "@paraph/gateways/issuing-ca/roll"
import { type AuthorityWorld, nameOf } from "@paraph/gateways/issuing-ca/world"
import { rollSettings } from "@paraph/server/authority-parts"
import type { Config } from "@paraph/server/config"
import { listAuthorities } from "@paraph/store/postgres/authorities"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import { findBySerial, revokeIssued } from "@paraph/store/postgres/issued-certificates"
import { NotUnderstood } from "./not-understood.ts"
import { alsoJson } from "./synopsis.ts"

export type CaOptions = Readonly<Record<string, string | undefined>>

type Office = {
  readonly db: ServiceDatabase
  readonly world: AuthorityWorld
  readonly config: Config
  readonly kind: Kind | null
  readonly now: Date
}

/** What is recorded, and printed as JSON unless there is something else to print. */
type Done = { readonly told: object; readonly printed?: string }

export type CaAct = {
  readonly usage: string
  readonly about: string
  readonly changes: boolean
  /** First what was typed is understood, all of it; only then is anything opened. */
  readonly read: (options: CaOptions) => (office: Office) => Promise<Done>
}

const ROOT = "[--root-token LABEL --root-pin-file FILE]"

export const CA_ACTS: Readonly<Record<string, CaAct>> = alsoJson({
  init: {
    usage: `--kind demo|production --organization NAME [--country CODE] ${ROOT}`,
    about: "makes a root and an issuing authority; with --root-token the root's key lies in another token",
    changes: true,
    read: (options) => {
      const operator = operatorOf(options)
      return async ({ world, config, kind, now }) => {
        const rhythm = rhythmOf(options)
        const settings = rollSettings(config)
        const { made, problems } = await initAuthority(world, of(kind), operator, settings, now, rhythm)
        return { told: { kind, made, problems } }
      }
    },
  },

  request: {
    usage: "--kind demo|production --organization NAME [--country CODE]",
    about: "asks for an issuing authority under somebody else's root: prints a PKCS#10 request in PEM",
    changes: true,
    read: (options) => {
      const operator = operatorOf(options)
      return async ({ world, kind, now }) => {
        const { authority, request } = await requestAuthority(world, of(kind), operator, now)
        const lines =
          Buffer.from(request)
            .toString("base64")
            .match(/.{1,64}/g) ?? []
        const printed = ["-----BEGIN CERTIFICATE REQUEST-----", ...lines, "-----END CERTIFICATE REQUEST-----"]
        return { told: { kind, requested: authority.keyLabel }, printed: printed.join("\n") }
      }
    },
  },

  install: {
    usage: "--kind demo|production --file FILE",
    about: "takes the certificate that was asked for, and its issuers up to the root, in PEM",
    changes: true,
    read: (options) => {
      const pem = contentOf(needed(options, "file"))
      return async ({ world, config, kind, now }) => {
        const installed = await installAuthority(world, of(kind), pem, now)
        const { made, problems } = await roll(world, of(kind), rollSettings(config), now)
        return { told: { kind, installed: shown(installed), made, problems } }
      }
    },
  },

  list: {
    usage: "[--kind demo|production]",
    about: "the authorities, who answers for them, and the service's certificates",
    changes: false,
    read:
      () =>
      async ({ db, kind }) => ({ told: { authorities: (await listAuthorities(db, kind)).map(shown) } }),
  },

  roll: {
    usage: `--kind demo|production ${ROOT}`,
    about: "makes what is due, as workers do by themselves; with the root's token, also what they cannot",
    changes: true,
    read:
      (options) =>
      async ({ world, config, kind, now }) => {
        const rolled = await roll(world, of(kind), rollSettings(config), now, rhythmOf(options))
        return { told: { kind, ...rolled } }
      },
  },

  revoke: {
    usage: `--kind demo|production --serial HEX [--reason REASON] ${ROOT}`,
    about: "for good: every answer and list says so from now on",
    changes: true,
    read: (options) => {
      const serial = serialFrom(needed(options, "serial"))
      const reason = reasonFrom(options.reason ?? "unspecified")
      return async ({ db, world, config, kind, now }) => {
        const issued = await findBySerial(db, of(kind), serial)
        if (issued === null) throw new NotUnderstood("No certificate of this serial was issued here.")
        const isNew = await revokeIssued(db, issued, { at: now, reason })
        if (!isNew) throw new NotUnderstood("It was revoked before.")
        await refreshAnswers(world, now, 100)
        const { made, problems } = await roll(world, of(kind), rollSettings(config), now, rhythmOf(options))
        return { told: { kind, revoked: options.serial, order: issued.orderId, reason, made, problems } }
      }
    },
  },
})

const shown = (row: Authority) => ({
  name: nameOf(row),
  kind: row.kind,
  state: row.state,
  "key-label": row.keyLabel,
  "not-before": row.notBefore,
  "not-after": row.notAfter,
})

function of(kind: Kind | null): Kind {
  if (kind === null) throw new NotUnderstood("--kind is demo or production.")
  return kind
}

/** A root that is fetched by hand signs a list that lasts until it is fetched again. */
const rhythmOf = (options: CaOptions) => (options["root-token"] === undefined ? "daily" : "seldom")

function operatorOf(options: CaOptions) {
  const organization = needed(options, "organization")
  const { country = null } = options
  if ([...organization].length > 64) throw new NotUnderstood("--organization has more than 64 characters.")
  if (country !== null && !/^[A-Z]{2}$/.test(country))
    throw new NotUnderstood("--country is two capital letters, such as CH.")
  return { organization, country }
}

function needed(options: CaOptions, name: string): string {
  const value = options[name]?.trim()
  if (!value) throw new NotUnderstood(`--${name} is needed.`)
  return value
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    throw new NotUnderstood(`${file} cannot be read.`)
  }
}

function serialFrom(text: string): Uint8Array {
  const hex = text.replaceAll(":", "").toLowerCase()
  if (!/^[0-9a-f]{1,32}$/.test(hex)) throw new NotUnderstood("--serial is up to 32 hexadecimal digits.")
  return Buffer.from(hex.padStart(32, "0"), "hex")
}

// RFC 5280, 5.3.1, without those that can be taken back or that a whole certificate cannot have.
const REASONS = [
  "unspecified",
  "keyCompromise",
  "cACompromise",
  "affiliationChanged",
  "superseded",
  "cessationOfOperation",
  "privilegeWithdrawn",
]

function reasonFrom(text: string): string {
  if (!REASONS.includes(text)) throw new NotUnderstood(`--reason is one of ${REASONS.join(", ")}.`)
  return text
}

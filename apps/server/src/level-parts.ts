import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { Refusal } from "@paraph/core/refusal"
import type { SigningParts } from "@paraph/core/signature-request/make-mark"
import type { Kind, Lack } from "@paraph/core/signature-request/model"
import { firstReliable } from "@paraph/gateways/first-reliable"
import type { AskOutside } from "@paraph/gateways/pdf"
import { PdfUnmet } from "@paraph/gateways/pdf-failed"
import { revocationPorts } from "@paraph/gateways/revocation"
import { askAuthority } from "@paraph/gateways/timestamp"
import type { Prepared } from "@paraph/pades/prepared"
import { readCertificate } from "@paraph/pki/certificate"
import { certificatesInPem } from "@paraph/pki/pem"
import { collectValidationData } from "@paraph/pki/validation-data"
import { ValidationDataFailed } from "@paraph/pki/validation-data-failed"
import type { AuthorityParts } from "./authority-parts.ts"
import type { Config } from "./config.ts"
import type { Identities } from "./identities.ts"
import type { Probes } from "./jobs/wake.ts"
import type { Parts } from "./parts.ts"

type Around = Pick<Parts, "outbound" | "raisePdf" | "now" | "newNonce" | "kinds" | "remoteAnchors">

/**
 * What makes a signature last (EN 319 142-1, 6): a time-stamp over its value, and what a validator will need beside it. Of its own
 * certificates the service asks itself, and trusts its own roots of that kind alone.
 */
export async function buildLevelParts(
  config: Pick<Config, "TIMESTAMP_URLS" | "TRUST_ANCHORS_FILE" | "SEED">,
  { outbound, raisePdf, now, newNonce, kinds, remoteAnchors }: Around,
  { localRevocation, authorityAnchors }: Pick<AuthorityParts, "localRevocation" | "authorityAnchors">,
  identities: Pick<Identities, "of">,
): Promise<LevelParts> {
  const { timestampSignature } = await import("@paraph/pades/finish")
  const { obtainTimestamp } = await import("@paraph/pades/timestamp")
  const named = readAnchors(config.TRUST_ANCHORS_FILE)
  const revocation = { ...localRevocation(revocationPorts(outbound)), newNonce }
  const stamping = () => ({ now: now(), anchors: named, newNonce })
  const authorities = config.TIMESTAMP_URLS.map((url) => askAuthority(outbound, url))
  const timestamp = firstReliable(authorities, { now, anchors: named, revocation })
  const outside: AskOutside = (question) => {
    if (question.of === "timestamp") return timestamp(question.body)
    if (question.of === "ocsp") return revocation.askOcsp(question.url, question.body)
    if (question.of === "crl") return revocation.fetchCrl(question.url)
    return revocation.fetchCertificate?.(question.url) ?? Promise.reject(new Error("Nobody is asked."))
  }
  // The process that reads the document asks for itself, so it is told what its nonces follow from.
  const seed = config.SEED === "" ? {} : { seed: config.SEED }
  const anchorsOf = async (kind: Kind) => [
    ...named,
    ...(await authorityAnchors(kind)),
    ...remoteAnchors(kind),
  ]
  const collect = async (kind: Kind, certificate: Uint8Array, chain: readonly Uint8Array[]) => {
    const anchors = (await anchorsOf(kind)).map((der) => readCertificate(der))
    const known = { certificates: chain, ocspResponses: [], crls: [] }
    const target = { certificate: readCertificate(certificate), at: now() }
    await collectValidationData([target], { now: now(), anchors, known, ports: revocation })
  }
  const parts: LevelParts["parts"] = {
    stampValue: ({ engine }, value) =>
      timestampSignature(engine as Prepared, value, timestamp, stamping()).catch(ofStamp),
    raiseMarks: async (held, tail, { kind, to, fields }, besides = []) => {
      const anchors = [...(await anchorsOf(kind)), ...besides]
      const raising = { to, tail, now: now(), anchors, certificates: [], fields, ...seed }
      return raisePdf(held, raising, outside).catch(ofRaising)
    },
  }
  return {
    parts,
    stampDigest: async (digest) => {
      const imprint = { digest, digestAlgorithm: "sha256" } as const
      return (await obtainTimestamp(timestamp, imprint, stamping())).token
    },
    isRevoked: async (kind, certificate, chain) => {
      try {
        await collect(kind, certificate, chain)
        return false
      } catch (error) {
        if (error instanceof ValidationDataFailed && error.code === "revoked") return true
        return lacking("revocation", "Nobody says that the certificate is not revoked.", error)
      }
    },
    probes: {
      timestamp: [
        async () => {
          const imprint = { digest: randomBytes(32), digestAlgorithm: "sha256" } as const
          await obtainTimestamp(timestamp, imprint, stamping())
        },
      ],
      revocation: kinds.map((kind) => async () => {
        const { certificate, chain } = await identities.of(kind)
        await collect(kind, certificate, chain)
      }),
    },
  }
}

export type LevelParts = {
  readonly parts: Pick<SigningParts, "stampValue"> & {
    /** With more anchors than the operator's file and our own authority: that of a seal which was installed. */
    readonly raiseMarks: (
      ...asked: [...Parameters<SigningParts["raiseMarks"]>, besides?: readonly Uint8Array[]]
    ) => ReturnType<SigningParts["raiseMarks"]>
  }
  /** RFC 3161 over anything. */
  readonly stampDigest: (sha256: Uint8Array) => Promise<Uint8Array>
  /** Asked before a certificate that lasts for years is used; rejects where nobody says. */
  readonly isRevoked: (kind: Kind, certificate: Uint8Array, chain: readonly Uint8Array[]) => Promise<boolean>
  /** Whether somebody would stamp, and say that our certificates are not revoked. */
  readonly probes: Pick<Probes, "timestamp" | "revocation">
}

/** Whatever an authority does wrong, the signature waits for one that does it right. */
const lacking = (lacks: Lack, detail: string, cause: unknown): never => {
  throw new Refusal("part-down", detail, { cause, lacks })
}

const ofStamp = (cause: unknown): never =>
  lacking("timestamp", "No time-stamping authority gave a time-stamp that can be relied upon.", cause)

const ofRaising = (cause: unknown): never => {
  if (!(cause instanceof PdfUnmet) || cause.want === "signature") throw cause
  if (cause.want === "timestamp") return ofStamp(cause)
  return lacking("revocation", "Nobody says that the certificates are not revoked.", cause)
}

function readAnchors(file: string): readonly Uint8Array[] {
  const anchors = certificatesInPem(readFileSync(file, "utf8"))
  if (anchors.length === 0) throw new Error(`There is no certificate in ${file}.`)
  return anchors
}

import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { displayName } from "@paraph/core/names/characters"
import { createOutbound } from "@paraph/gateways/outbound"
import { revocationPorts } from "@paraph/gateways/revocation"
import { askAuthority } from "@paraph/gateways/timestamp"
import { copyFile } from "@paraph/pades/file"
import { finish, timestampSignature } from "@paraph/pades/finish"
import { prepare } from "@paraph/pades/prepare"
import { raise } from "@paraph/pades/raise"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { readKeyUsage } from "@paraph/pki/extensions"
import { algorithmFor, SIGNATURE_ALGORITHMS } from "@paraph/pki/signature-algorithm"
import { Failed } from "../failed.ts"
import type { SigningKey } from "./signing-key.ts"

export const LEVELS = ["B-B", "B-T", "B-LT", "B-LTA"] as const
export type Level = (typeof LEVELS)[number]

export type Order = {
  readonly file: string
  /** Must not be there yet. */
  readonly output: string
  readonly level: Level
  /** Null at B-B, which asks nobody. */
  readonly tsa: string | null
  /** DER. Where trust begins. */
  readonly anchors: readonly Uint8Array[]
  /** Hosts of one's own network that may be asked about revocation. */
  readonly allowedHosts: readonly string[]
  readonly name: string | undefined
  readonly reason: string | undefined
  readonly location: string | undefined
  readonly now: () => Date
}

export type Signed = {
  readonly signer: string
  readonly at: Date
  readonly field: string
  readonly algorithm: string
}

/** EN 319 142-1, 6: each level is the one before and one act more. Where it cannot be made whole, there is no file. */
export async function signFile(key: SigningKey, order: Order): Promise<Signed> {
  const certificate = readCertificate(key.certificate)
  const now = order.now()
  mustFit(certificate, now)
  const algorithm = algorithmFor(certificate)
  const { digest } = SIGNATURE_ALGORITHMS[algorithm]
  const field = `Signature-${randomBytes(4).toString("hex")}`
  const copy = copyFile(order.file, order.output, [...new Set(["sha256", digest] as const)])
  try {
    const prepared = prepare(copy.base(), {
      ...{ fieldName: field, certificate: key.certificate, chain: key.chain, algorithm, signedAt: now },
      signerName: order.name ?? displayName(certificate.subjectName),
      ...(order.reason !== undefined && { reason: order.reason }),
      ...(order.location !== undefined && { location: order.location }),
    })
    const value = await key.sign(Buffer.from(prepared.signedAttributes, "base64"), algorithm)
    if (order.tsa === null) {
      copy.append(finish(prepared, value))
    } else {
      const { timestamp: authority, ...outside } = outsideOf(order, order.tsa)
      const rules = { now: order.now(), anchors: order.anchors }
      copy.append(
        finish(prepared, value, { timestamp: await timestampSignature(prepared, value, authority, rules) }),
      )
      if (order.level === "B-LT" || order.level === "B-LTA") {
        const more = { certificates: key.chain, fields: [field], timestamp: authority, ...outside }
        copy.append(await raise(copy.base(), { to: order.level, ...rules, ...more }))
      }
    }
    copy.close()
    return { signer: certificate.subjectName, at: now, field, algorithm }
  } catch (error) {
    copy.close()
    rmSync(order.output, { force: true })
    throw error
  }
}

/** Whoever names an authority means it to be asked, wherever it stands; what a certificate names may be anybody's. */
function outsideOf({ allowedHosts }: Order, tsa: string) {
  const outbound = createOutbound({
    allowedHosts: { timestamp: [new URL(tsa).host], revocation: allowedHosts },
  })
  return { timestamp: askAuthority(outbound, tsa), revocation: revocationPorts(outbound) }
}

/** Found out before the document is touched: no validator would take such a signature. */
function mustFit(certificate: Certificate, now: Date): void {
  const { notBefore, notAfter, subjectName, extensions } = certificate
  if (now > notAfter)
    throw new Failed(`The certificate of ${subjectName} ended at ${notAfter.toISOString()}.`)
  if (now < notBefore)
    throw new Failed(`The certificate of ${subjectName} begins at ${notBefore.toISOString()}.`)
  const usage = readKeyUsage(extensions)
  if (usage !== undefined && !usage.includes("digitalSignature") && !usage.includes("contentCommitment"))
    throw new Failed(`The certificate of ${subjectName} is not for signatures.`)
}

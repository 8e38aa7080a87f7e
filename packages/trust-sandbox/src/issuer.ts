// One certification authority of the sandbox: it issues, keeps a register of what it issued, and revokes.

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import {
  type CertificateOrder,
  type DistinguishedName,
  issueCertificate,
  keyIdentifier,
  writeName,
} from "@paraph/pki/certificate-writer"
import type { Keep, Revocation } from "./keep.ts"
import type { SandboxKey } from "./keyring.ts"
import type { NewSerialNumber } from "./serial-number.ts"

export type IssuerName = "root" | "issuing"

/** Time and serial numbers come from outside, so that a test can have the same ones again. */
export type World = {
  readonly url: string
  readonly now: () => Date
  readonly serialNumber: NewSerialNumber
  readonly keep: Keep
}

export type Order = DistinguishedName &
  Pick<CertificateOrder, "publicKeySpki" | "keyUsage"> & {
    /** From now; a certificate that has run out has less than none. */
    readonly validDays: number
    /** How long it has been valid already. By default five minutes: clocks of two machines differ. */
    readonly standingDays?: number
    /** What the certificate says about where its status can be asked. */
    readonly revocation: "both" | "ocsp" | "crl" | "none"
    /** Whatever else, also to make a certificate that is wrong on purpose. */
    readonly rest?: Partial<CertificateOrder>
  }

export type Issuer = {
  readonly name: IssuerName
  readonly certificate: Certificate
  readonly key: SandboxKey
  readonly issue: (order: Order) => Promise<Certificate>
  readonly revoke: (serialNumber: bigint, revocation: Revocation) => void
  /** A revocation counts from its time on; undefined where no such certificate was issued here. */
  readonly statusOf: (serialNumber: bigint, at: Date) => "good" | Revocation | undefined
  readonly revoked: (at: Date) => readonly (Revocation & { readonly serialNumber: bigint })[]
}

export function createIssuer(
  name: IssuerName,
  key: SandboxKey,
  certificate: Certificate,
  world: World,
): Issuer {
  const { known, note } = world.keep.register(name)
  return {
    name,
    certificate,
    key,
    issue: async (order) => {
      const issued = readCertificate(
        await issueCertificate({
          ...common(order, world),
          ...places(name, order.revocation, world.url),
          issuer: certificate.subject,
          authorityKeyIdentifier: certificate.subjectKeyIdentifier ?? keyIdentifier(key.publicKeySpki),
          algorithm: key.algorithm,
          issuerPublicKeySpki: key.publicKeySpki,
          signBytes: key.signBytes,
          ...order.rest,
        }),
      )
      note(issued.serialNumber, null)
      return issued
    },
    revoke: (serialNumber, revocation) => {
      if (!known.has(serialNumber)) throw new RangeError("No such certificate was issued here.")
      note(serialNumber, revocation)
    },
    statusOf: (serialNumber, at) => {
      const revocation = known.get(serialNumber)
      if (revocation === undefined) return undefined
      return revocation !== null && revocation.at <= at ? revocation : "good"
    },
    revoked: (at) =>
      [...known].flatMap(([serialNumber, revocation]) =>
        revocation !== null && revocation.at <= at ? [{ serialNumber, ...revocation }] : [],
      ),
  }
}

export async function selfSigned(
  order: Omit<Order, "publicKeySpki" | "revocation">,
  key: SandboxKey,
  world: World,
): Promise<Certificate> {
  const subject = writeName(order)
  return readCertificate(
    await issueCertificate({
      ...common({ ...order, publicKeySpki: key.publicKeySpki }, world),
      issuer: subject,
      algorithm: key.algorithm,
      issuerPublicKeySpki: key.publicKeySpki,
      signBytes: key.signBytes,
      ...order.rest,
    }),
  )
}

const DAY_MS = 86_400_000
const FIVE_MINUTES = 5 / (24 * 60)

function common(order: Omit<Order, "revocation">, world: World) {
  const now = world.now().getTime()
  return {
    subject: writeName(order),
    serialNumber: world.serialNumber(Buffer.concat([Buffer.from(`${now} `), order.publicKeySpki])),
    notBefore: new Date(now - (order.standingDays ?? FIVE_MINUTES) * DAY_MS),
    notAfter: new Date(now + order.validDays * DAY_MS),
    publicKeySpki: order.publicKeySpki,
    keyUsage: order.keyUsage,
  }
}

function places(name: IssuerName, revocation: Order["revocation"], url: string) {
  const hasOcsp = revocation === "both" || revocation === "ocsp"
  const hasCrl = revocation === "both" || revocation === "crl"
  return {
    authorityInfoAccess: {
      ...(hasOcsp ? { ocsp: [`${url}/ocsp/${name}`] } : {}),
      caIssuers: [`${url}/${name}.crt`],
    },
    ...(hasCrl ? { crlDistributionPoints: [`${url}/crl/${name}.crl`] } : {}),
  }
}

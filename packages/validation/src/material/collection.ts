// Certificates, OCSP responses and CRLs as they are found. Each is read once, however often it is in the document. Their number
// is limited, because the author of the document chose them.

import type { ByteInterval } from "@paraph/pades/byte-interval"
import { PdfRefused } from "@paraph/pades/refused"
import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { type Crl, readCrl } from "@paraph/pki/crl"
import { type BasicOcspResponse, readBasicOcspResponse, readOcspResponse } from "@paraph/pki/ocsp-response"
import { ifReadable } from "@paraph/pki/optional"
import type { Evidence } from "./material.ts"

// A document signed by hundreds and renewed for decades.
const MAX_ITEMS = 10_000

/**
 * Each throws `PdfRefused` ("too-complex") for a new item beyond the limit, also where earlier ones could not be read: the item
 * could be a revocation, and unreadable ones must not hide it.
 */
export type Collection = {
  /** Null for what is not a certificate. Bytes that were fetched have no location in the file. */
  readonly certificate: (der: Uint8Array, location?: ByteInterval) => Certificate | null
  readonly ocspResponse: (der: Uint8Array, location?: ByteInterval) => void
  readonly basicOcspResponse: (der: Uint8Array, location?: ByteInterval) => void
  readonly crl: (der: Uint8Array, location?: ByteInterval) => void
  readonly evidence: () => Evidence
}

export function createCollection(): Collection {
  const certificates = new Map<string, Certificate | null>()
  const answers = new Map<string, BasicOcspResponse | null>()
  const lists = new Map<string, Crl | null>()
  const locations = new Map<object, ByteInterval[]>()

  const take = <T extends object>(
    known: Map<string, T | null>,
    der: Uint8Array,
    location: ByteInterval | undefined,
    read: (der: Uint8Array) => T | undefined,
  ): T | null => {
    const key = Buffer.from(der.buffer, der.byteOffset, der.length).toString("latin1")
    let item = known.get(key)
    if (item === undefined) {
      if (known.size >= MAX_ITEMS)
        throw new PdfRefused(
          "too-complex",
          `There are more than ${MAX_ITEMS} certificates, OCSP responses or CRLs.`,
        )
      item = ifReadable(() => read(der)) ?? null
      known.set(key, item)
    }
    if (item !== null && location !== undefined) {
      const list = locations.get(item)
      if (list === undefined) locations.set(item, [location])
      else list.push(location)
    }
    return item
  }
  const responder = (answer: BasicOcspResponse | null, location?: ByteInterval) => {
    for (const der of answer?.certificates ?? []) take(certificates, der, location, readCertificate)
  }
  return {
    certificate: (der, location) => take(certificates, der, location, readCertificate),
    ocspResponse: (der, location) =>
      responder(
        take(answers, der, location, (bytes) => {
          const response = readOcspResponse(bytes)
          return response.status === "successful" ? response.basic : undefined
        }),
        location,
      ),
    basicOcspResponse: (der, location) =>
      responder(take(answers, der, location, readBasicOcspResponse), location),
    crl: (der, location) => {
      take(lists, der, location, readCrl)
    },
    evidence: () => ({
      certificates: present(certificates),
      answers: present(answers),
      lists: present(lists),
      locations,
    }),
  }
}

function present<T>(known: ReadonlyMap<string, T | null>): readonly T[] {
  return [...known.values()].filter((item) => item !== null)
}

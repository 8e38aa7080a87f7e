// Certificates and answers as they are found, each read once however often it lies in the document, and bounded: whoever
// made the document chose them.

import { type Certificate, readCertificate } from "@paraph/pki/certificate"
import { type Crl, readCrl } from "@paraph/pki/crl"
import { type BasicOcspResponse, readBasicOcspResponse, readOcspResponse } from "@paraph/pki/ocsp-response"
import { ifReadable } from "@paraph/pki/optional"
import type { Evidence, Place } from "./material.ts"

// A document signed by hundreds and renewed for decades.
const MAX_ITEMS = 10_000

export type Collection = {
  /** Null for what is not a certificate. Bytes that were fetched have no place in the file. */
  readonly certificate: (der: Uint8Array, place?: Place) => Certificate | null
  readonly ocspResponse: (der: Uint8Array, place?: Place) => void
  readonly basicOcspResponse: (der: Uint8Array, place?: Place) => void
  readonly crl: (der: Uint8Array, place?: Place) => void
  readonly evidence: () => Evidence
}

export function createCollection(): Collection {
  const certificates = new Map<string, Certificate | null>()
  const answers = new Map<string, BasicOcspResponse | null>()
  const lists = new Map<string, Crl | null>()
  const places = new Map<object, Place[]>()

  const take = <T extends object>(
    known: Map<string, T | null>,
    der: Uint8Array,
    place: Place | undefined,
    read: (der: Uint8Array) => T | undefined,
  ): T | null => {
    const key = Buffer.from(der.buffer, der.byteOffset, der.length).toString("latin1")
    let item = known.get(key)
    if (item === undefined) {
      if (known.size >= MAX_ITEMS) return null
      item = ifReadable(() => read(der)) ?? null
      known.set(key, item)
    }
    if (item !== null && place !== undefined) {
      const list = places.get(item)
      if (list === undefined) places.set(item, [place])
      else list.push(place)
    }
    return item
  }
  const responder = (answer: BasicOcspResponse | null, place?: Place) => {
    for (const der of answer?.certificates ?? []) take(certificates, der, place, readCertificate)
  }
  return {
    certificate: (der, place) => take(certificates, der, place, readCertificate),
    ocspResponse: (der, place) =>
      responder(
        take(answers, der, place, (bytes) => {
          const response = readOcspResponse(bytes)
          return response.status === "successful" ? response.basic : undefined
        }),
        place,
      ),
    basicOcspResponse: (der, place) => responder(take(answers, der, place, readBasicOcspResponse), place),
    crl: (der, place) => {
      take(lists, der, place, readCrl)
    },
    evidence: () => ({
      certificates: present(certificates),
      answers: present(answers),
      lists: present(lists),
      places,
    }),
  }
}

function present<T>(known: ReadonlyMap<string, T | null>): readonly T[] {
  return [...known.values()].filter((item) => item !== null)
}

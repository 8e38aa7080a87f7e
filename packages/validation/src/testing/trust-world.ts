// A small Union with a list of lists and two member states, and Switzerland: authorities, a time-stamping unit each, and
// their lists, signed. Made anew for each test file; nothing of it exists anywhere else.

import { writeQcStatements } from "@paraph/pki/qc-statements"
import type { ListSource, LoadOrder } from "../trusted-list/load-lists.ts"
import type { CertificateUse } from "../trusted-list/trusted-list.ts"
import { type Holder, type HolderOrder, newHolder, newRoot } from "./keys.ts"
import { type SigningOrder, signList } from "./list-signer.ts"
import { type ListOrder, type ServiceOrder, SWISS_ROOT, writeList } from "./list-writer.ts"

export const NOW = new Date("2026-06-01T12:00:00Z")
export const SINCE = new Date("2019-01-01T00:00:00Z")
const ISSUED = new Date("2026-05-01T00:00:00Z")
const NEXT_UPDATE = new Date("2026-11-01T00:00:00Z")

export const ADDRESS = {
  EU: "https://lists.example.eu/lotl.xml",
  AT: "https://lists.example.at/tl.xml",
  IT: "https://lists.example.it/tl.xml",
  CH: "https://lists.example.ch/tl.xml",
} as const

export type Country = {
  /** Signs its list. */
  readonly operator: Holder
  readonly authority: Holder
  readonly clock: Holder
}

export type TrustWorld = {
  /** Signs the list of lists. */
  readonly operator: Holder
  readonly AT: Country
  readonly IT: Country
  readonly CH: Country
}

export async function newTrustWorld(): Promise<TrustWorld> {
  const [operator, AT, IT, CH] = await Promise.all([
    newRoot({ name: "Commission", country: "BE" }),
    newCountry("AT"),
    newCountry("IT"),
    newCountry("CH"),
  ])
  return { operator, AT, IT, CH }
}

async function newCountry(country: string): Promise<Country> {
  const authority = await newRoot({ name: `Authority of ${country}`, country })
  const stamping = { extendedKeyUsage: ["1.3.6.1.5.5.7.3.8"], extendedKeyUsageCritical: true }
  return {
    operator: await newRoot({ name: `Operator of ${country}`, country }),
    authority,
    clock: await newHolder(authority, {
      name: `Clock of ${country}`,
      country,
      keyUsage: ["digitalSignature"],
      ...stamping,
    }),
  }
}

export type SignerOrder = Omit<HolderOrder, "name"> & {
  readonly isQualified?: boolean
  readonly isInDevice?: boolean
  readonly types?: readonly CertificateUse[]
  readonly countries?: readonly string[]
}

/** A certificate with these statements; without any order, of a qualified signature. */
export async function newSigner(issuer: Holder, order: SignerOrder = {}): Promise<Holder> {
  const { isQualified = true, isInDevice = true, types = ["esign"], countries, ...rest } = order
  const statements = writeQcStatements({ isQualified, isInDevice, types, countries })
  const isSilent = !isQualified && !isInDevice && types.length === 0 && countries === undefined
  return newHolder(issuer, { name: "Ada", otherExtensions: isSilent ? [] : [statements], ...rest })
}

/** The services of a country as they are where nothing is wrong. */
export function usualServices({ authority, clock }: Country, root?: string): readonly ServiceOrder[] {
  const common = { from: SINCE, ...(root !== undefined && { root }) }
  return [
    {
      ...common,
      name: "Qualified certificates",
      type: "CA/QC",
      certificates: [authority.certificate.der],
      uses: ["ForeSignatures", "ForeSeals"],
    },
    { ...common, name: "Qualified time-stamps", type: "TSA/QTST", certificates: [clock.certificate.der] },
  ]
}

export function nationalList(
  world: TrustWorld,
  territory: "AT" | "IT" | "CH",
  services: readonly ServiceOrder[] = usualServices(
    world[territory],
    territory === "CH" ? SWISS_ROOT : undefined,
  ),
  order: Partial<ListOrder> = {},
): string {
  const type = territory === "CH" ? "CHgeneric" : "EUgeneric"
  const providers = [{ name: `Provider of ${territory}`, services }]
  return writeList({ territory, type, issued: ISSUED, nextUpdate: NEXT_UPDATE, providers, ...order })
}

export function listOfLists(world: TrustWorld, order: Partial<ListOrder> = {}): string {
  const lotl = "EUlistofthelists"
  const pointers = [
    { address: ADDRESS.EU, territory: "EU", type: lotl, signers: [world.operator.certificate.der] },
    { address: ADDRESS.AT, territory: "AT", signers: [world.AT.operator.certificate.der] },
    {
      address: `${ADDRESS.IT}.pdf`,
      territory: "IT",
      mimeType: "application/pdf",
      signers: [world.IT.operator.certificate.der],
    },
    { address: ADDRESS.IT, territory: "IT", signers: [world.IT.operator.certificate.der] },
  ]
  return writeList({
    territory: "EU",
    type: lotl,
    issued: ISSUED,
    nextUpdate: NEXT_UPDATE,
    pointers,
    ...order,
  })
}

/** Every list, signed by whom it should be. */
export function signedLists(world: TrustWorld, how: Partial<SigningOrder> = {}): Map<string, Uint8Array> {
  return new Map([
    [ADDRESS.EU, signList(listOfLists(world), { ...how, signer: world.operator })],
    [ADDRESS.AT, signList(nationalList(world, "AT"), { ...how, signer: world.AT.operator })],
    [ADDRESS.IT, signList(nationalList(world, "IT"), { ...how, signer: world.IT.operator })],
    [ADDRESS.CH, signList(nationalList(world, "CH"), { ...how, signer: world.CH.operator })],
  ])
}

export function sourcesOf(world: TrustWorld): readonly ListSource[] {
  return [
    { law: "EU", address: ADDRESS.EU, form: "list-of-lists", signers: [world.operator.certificate.der] },
    { law: "CH", address: ADDRESS.CH, form: "list", signers: [world.CH.operator.certificate.der] },
  ]
}

/** A load that finds these lists where they are published, and knows nothing yet. */
export function orderFor(world: TrustWorld, published: ReadonlyMap<string, Uint8Array>): LoadOrder {
  return {
    sources: sourcesOf(world),
    known: new Map(),
    now: NOW,
    fetchList: async (address) => published.get(address),
  }
}

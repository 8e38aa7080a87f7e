// Reads a trusted list from its XML (ETSI TS 119 612, 5 and annex C). The signature is judged elsewhere and first; what is
// read here is the root without it. Throws an XmlError for what is not such a list; a service that cannot be read is left
// out and counted, since the others are still what the state says of them.

import { readCertificate } from "@paraph/pki/certificate"
import { ifReadable } from "@paraph/pki/optional"
import { identityOf } from "./identity.ts"
import { ADDITIONAL, languageOf, readName, TSL } from "./names.ts"
import { readPeriods } from "./read-period.ts"
import type { Law, ListPointer, ServiceIdentity, TrustedList, TrustService } from "./trusted-list.ts"
import { type XmlElement, XmlError } from "./xml-reader.ts"
import { base64Of, childOf, childrenOf, elementsOf, requiredChild, textOf, timeOf } from "./xml-tree.ts"

export type ReadContext = { readonly law: Law; readonly address: string }
export type ReadList = { readonly list: TrustedList; readonly unreadableServices: number }

// The types of lists by the end of their address: the Union's (5.3.3) and any other country's.
const LIST_OF_LISTS = /\/TSLType\/(EUlistofthelists|[A-Z]{2}listofthelists|listofthelists)\/?$/
const MIME_TYPE = "application/vnd.etsi.tsl+xml"

export function readList(root: XmlElement, context: ReadContext): ReadList {
  if (root.namespace !== TSL || root.local !== "TrustServiceStatusList")
    throw new XmlError("not a trusted list")
  const scheme = requiredChild(root, TSL, "SchemeInformation")
  const nextUpdate = readNextUpdate(scheme)
  const issued = iso(timeOf(requiredChild(scheme, TSL, "ListIssueDateTime")))
  const territory = readTerritory(requiredChild(scheme, TSL, "SchemeTerritory"))
  const found = readServices(root, { ...context, territory, issued, nextUpdate })
  const form = readForm(requiredChild(scheme, TSL, "TSLType"))
  return {
    unreadableServices: found.unreadable,
    list: {
      version: readVersion(scheme),
      sequenceNumber: readNumber(requiredChild(scheme, TSL, "TSLSequenceNumber")),
      form,
      territory,
      operator: readName(requiredChild(scheme, TSL, "SchemeOperatorName")),
      issued,
      nextUpdate,
      pointers: readPointers(scheme),
      pivots: form === "list-of-lists" ? readPivots(scheme) : [],
      services: found.services,
    },
  }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

function readVersion(scheme: XmlElement): 5 | 6 {
  const version = readNumber(requiredChild(scheme, TSL, "TSLVersionIdentifier"))
  if (version !== 5 && version !== 6) throw new XmlError(`a list of version ${version}`)
  return version
}

function readNumber(element: XmlElement): number {
  const text = textOf(element)
  if (!/^\d{1,15}$/.test(text)) throw new XmlError(`${element.local} is not a number`)
  return Number(text)
}

function readForm(element: XmlElement): "list-of-lists" | "list" {
  return LIST_OF_LISTS.test(textOf(element)) ? "list-of-lists" : "list"
}

function readTerritory(element: XmlElement): string {
  const text = textOf(element)
  if (!/^[A-Za-z]{2,8}$/.test(text)) throw new XmlError("a territory of odd letters")
  return text.toUpperCase()
}

// Clause 5.3.15: empty means that the list is closed.
function readNextUpdate(scheme: XmlElement): string | null {
  const time = childOf(requiredChild(scheme, TSL, "NextUpdate"), TSL, "dateTime")
  return time === undefined ? null : iso(timeOf(time))
}

// A pivot is an earlier list of lists; its address stands among the addresses that explain the scheme.
function readPivots(scheme: XmlElement): readonly string[] {
  return childrenOf(childOf(scheme, TSL, "SchemeInformationURI"), TSL, "URI")
    .filter((uri) => languageOf(uri) === "en")
    .map(textOf)
    .filter((address) => /^https?:\/\/\S+\.xml$/i.test(address))
}

function readPointers(scheme: XmlElement): readonly ListPointer[] {
  const pointers = childrenOf(childOf(scheme, TSL, "PointersToOtherTSL"), TSL, "OtherTSLPointer")
  return pointers.flatMap((pointer) => {
    const about = childrenOf(childOf(pointer, TSL, "AdditionalInformation"), TSL, "OtherInformation").flatMap(
      elementsOf,
    )
    const find = (namespace: string, local: string) =>
      about.find((element) => element.namespace === namespace && element.local === local)
    const mimeType = find(ADDITIONAL, "MimeType")
    const territory = find(TSL, "SchemeTerritory")
    const type = find(TSL, "TSLType")
    // The same list for people, a PDF, has a pointer too.
    if (mimeType === undefined || textOf(mimeType).toLowerCase() !== MIME_TYPE) return []
    if (territory === undefined || type === undefined) return []
    return [
      {
        address: textOf(requiredChild(pointer, TSL, "TSLLocation")),
        form: readForm(type),
        territory: readTerritory(territory),
        signers: readSigners(pointer),
      },
    ]
  })
}

function readSigners(pointer: XmlElement): readonly string[] {
  const identities = childOf(pointer, TSL, "ServiceDigitalIdentities")
  return childrenOf(identities, TSL, "ServiceDigitalIdentity")
    .flatMap((identity) => childrenOf(identity, TSL, "DigitalId"))
    .flatMap((id) => childrenOf(id, TSL, "X509Certificate"))
    .map((certificate) => Buffer.from(base64Of(certificate)).toString("base64"))
}

type ListFacts = ReadContext & {
  readonly territory: string
  readonly issued: string
  readonly nextUpdate: string | null
}

function readServices(root: XmlElement, facts: ListFacts) {
  const services: TrustService[] = []
  let unreadable = 0
  const providers = childOf(root, TSL, "TrustServiceProviderList")
  for (const provider of childrenOf(providers, TSL, "TrustServiceProvider")) {
    const name = readName(requiredChild(requiredChild(provider, TSL, "TSPInformation"), TSL, "TSPName"))
    for (const service of childrenOf(childOf(provider, TSL, "TSPServices"), TSL, "TSPService")) {
      const read = ifXml(() => readService(service, name, facts))
      if (read === undefined) unreadable += 1
      else if (read.identities.length > 0) services.push(read)
    }
  }
  return { services, unreadable }
}

function ifXml<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

function readService(service: XmlElement, provider: string, facts: ListFacts): TrustService {
  const information = requiredChild(service, TSL, "ServiceInformation")
  const history = childrenOf(childOf(service, TSL, "ServiceHistory"), TSL, "ServiceHistoryInstance")
  const { law, territory, address, issued, nextUpdate } = facts
  // What a closed list says goes as far as the day of its closing.
  const end = nextUpdate === null ? issued : undefined
  return {
    law,
    territory,
    list: address,
    listExpires: nextUpdate,
    provider,
    name: readName(requiredChild(information, TSL, "ServiceName")),
    identities: readIdentities(requiredChild(information, TSL, "ServiceDigitalIdentity")),
    periods: readPeriods([information, ...history], { law, ...(end !== undefined && { end }) }),
  }
}

// Only a certificate says both the name and the key. One that we cannot read matches nothing, so it is left out.
function readIdentities(identity: XmlElement): readonly ServiceIdentity[] {
  return childrenOf(identity, TSL, "DigitalId")
    .flatMap((id) => childrenOf(id, TSL, "X509Certificate"))
    .flatMap((element) => {
      const der = base64Of(element)
      const certificate = ifReadable(() => readCertificate(der))
      if (certificate === undefined) return []
      return [{ certificate: Buffer.from(der).toString("base64"), ...identityOf(certificate) }]
    })
}

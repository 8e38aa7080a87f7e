// Writes trusted lists of the schema of ETSI TS 119 612, not signed yet. What they say is made up; their form is not.

export type ListOrder = {
  readonly version?: number
  readonly sequenceNumber?: number
  readonly territory: string
  /** What stands behind ".../TSLType/". */
  readonly type?: string
  readonly issued: Date
  /** Null: closed. */
  readonly nextUpdate: Date | null
  readonly pivots?: readonly string[]
  readonly pointers?: readonly PointerOrder[]
  readonly providers?: readonly ProviderOrder[]
}

export type PointerOrder = {
  readonly address: string
  readonly territory: string
  readonly type?: string
  readonly mimeType?: string
  readonly signers: readonly Uint8Array[]
}

export type ProviderOrder = { readonly name: string; readonly services: readonly ServiceOrder[] }

export type PeriodOrder = {
  /** What stands behind ".../Svctype/". */
  readonly type: string
  readonly status?: string
  readonly from: Date
  /** Behind ".../SvcInfoExt/". */
  readonly uses?: readonly string[]
  readonly qualifications?: readonly { readonly qualifiers: readonly string[]; readonly criteria: string }[]
  /** Whole Extension elements. */
  readonly extensions?: readonly string[]
  /** Where the addresses of the words begin: ETSI's, or the Swiss ones. */
  readonly root?: string
}

export type ServiceOrder = PeriodOrder & {
  readonly name: string
  readonly certificates: readonly Uint8Array[]
  /** The newest first. */
  readonly history?: readonly PeriodOrder[]
}

export const ETSI_ROOT = "http://uri.etsi.org/TrstSvc"
export const SWISS_ROOT = "https://uri.tsl-switzerland.ch/TrstSvc"
const SIE = "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#"

export function writeList(order: ListOrder): string {
  const providers = (order.providers ?? []).map(provider).join("")
  return `<?xml version="1.0" encoding="UTF-8"?>
<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" xmlns:add="http://uri.etsi.org/02231/v2/additionaltypes#" xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" xmlns:sie="${SIE}" Id="list" TSLTag="http://uri.etsi.org/19612/TSLTag">
${scheme(order)}${providers === "" ? "" : `<TrustServiceProviderList>${providers}</TrustServiceProviderList>`}
</TrustServiceStatusList>`
}

function scheme(order: ListOrder): string {
  const { territory, issued, nextUpdate, pivots = [], pointers = [] } = order
  const type = `http://uri.etsi.org/TrstSvc/TrustedList/TSLType/${order.type ?? "EUgeneric"}`
  const uris = [...pivots, "https://example.org/about.html"].map((uri) => `<URI xml:lang="en">${uri}</URI>`)
  return `<SchemeInformation>
<TSLVersionIdentifier>${order.version ?? 6}</TSLVersionIdentifier>
<TSLSequenceNumber>${order.sequenceNumber ?? 1}</TSLSequenceNumber>
<TSLType>${type}</TSLType>
<SchemeOperatorName><Name xml:lang="de">Aufsicht ${territory}</Name><Name xml:lang="en">Supervision of ${territory}</Name></SchemeOperatorName>
<SchemeOperatorAddress>${address()}</SchemeOperatorAddress>
<SchemeName><Name xml:lang="en">${territory}:A list for tests</Name></SchemeName>
<SchemeInformationURI>${uris.join("")}</SchemeInformationURI>
<StatusDeterminationApproach>http://uri.etsi.org/TrstSvc/TrustedList/StatusDetn/EUappropriate</StatusDeterminationApproach>
<SchemeTypeCommunityRules><URI xml:lang="en">http://uri.etsi.org/TrstSvc/TrustedList/schemerules/EUcommon</URI></SchemeTypeCommunityRules>
<SchemeTerritory>${territory}</SchemeTerritory>
<PolicyOrLegalNotice><TSLLegalNotice xml:lang="en">For tests.</TSLLegalNotice></PolicyOrLegalNotice>
<HistoricalInformationPeriod>65535</HistoricalInformationPeriod>
${pointers.length === 0 ? "" : `<PointersToOtherTSL>${pointers.map(pointer).join("")}</PointersToOtherTSL>`}
<ListIssueDateTime>${time(issued)}</ListIssueDateTime>
<NextUpdate>${nextUpdate === null ? "" : `<dateTime>${time(nextUpdate)}</dateTime>`}</NextUpdate>
</SchemeInformation>
`
}

function address(): string {
  return `<PostalAddresses><PostalAddress xml:lang="en"><StreetAddress>1 Street</StreetAddress><Locality>Town</Locality><CountryName>AT</CountryName></PostalAddress></PostalAddresses><ElectronicAddress><URI xml:lang="en">mailto:list@example.org</URI></ElectronicAddress>`
}

function time(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

function base64(bytes: Uint8Array): string {
  return (
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,76}/g) ?? []
  ).join("\n")
}

function pointer({ address: location, territory, type, mimeType, signers }: PointerOrder): string {
  const identities = signers.map(
    (signer) =>
      `<ServiceDigitalIdentity><DigitalId><X509Certificate>${base64(signer)}</X509Certificate></DigitalId></ServiceDigitalIdentity>`,
  )
  const about = [
    `<TSLType>http://uri.etsi.org/TrstSvc/TrustedList/TSLType/${type ?? "EUgeneric"}</TSLType>`,
    `<SchemeTerritory>${territory}</SchemeTerritory>`,
    `<add:MimeType>${mimeType ?? "application/vnd.etsi.tsl+xml"}</add:MimeType>`,
    `<SchemeOperatorName><Name xml:lang="en">Supervision of ${territory}</Name></SchemeOperatorName>`,
  ].map((information) => `<OtherInformation>${information}</OtherInformation>`)
  return `<OtherTSLPointer><ServiceDigitalIdentities>${identities.join("")}</ServiceDigitalIdentities><TSLLocation>${location}</TSLLocation><AdditionalInformation>${about.join("")}</AdditionalInformation></OtherTSLPointer>`
}

function provider({ name, services }: ProviderOrder): string {
  return `<TrustServiceProvider><TSPInformation><TSPName><Name xml:lang="en">${name}</Name></TSPName><TSPTradeName><Name xml:lang="en">VATAT-U12345678</Name></TSPTradeName><TSPAddress>${address()}</TSPAddress><TSPInformationURI><URI xml:lang="en">https://example.org/</URI></TSPInformationURI></TSPInformation><TSPServices>${services.map(service).join("\n")}</TSPServices></TrustServiceProvider>`
}

function service(order: ServiceOrder): string {
  const { name, certificates, history = [] } = order
  const ids = certificates.map(
    (der) => `<DigitalId><X509Certificate>${base64(der)}</X509Certificate></DigitalId>`,
  )
  const before = history.map(
    (one) =>
      `<ServiceHistoryInstance>${period(one, name, "<DigitalId><X509SubjectName>CN=It</X509SubjectName></DigitalId>")}</ServiceHistoryInstance>`,
  )
  const past = before.length === 0 ? "" : `<ServiceHistory>${before.join("")}</ServiceHistory>`
  return `<TSPService><ServiceInformation>${period(order, name, ids.join(""))}</ServiceInformation>${past}</TSPService>`
}

function period(order: PeriodOrder, name: string, identity: string): string {
  const { type, status = "granted", from, uses = [], qualifications = [], root = ETSI_ROOT } = order
  const all = [
    ...uses.map((use) =>
      extension(
        `<AdditionalServiceInformation><URI xml:lang="en">${root}/TrustedList/SvcInfoExt/${use}</URI></AdditionalServiceInformation>`,
      ),
    ),
    ...(qualifications.length === 0
      ? []
      : [
          extension(
            `<sie:Qualifications>${qualifications.map((one) => qualification(one, root)).join("")}</sie:Qualifications>`,
          ),
        ]),
    ...(order.extensions ?? []),
  ]
  return `<ServiceTypeIdentifier>${root}/Svctype/${type}</ServiceTypeIdentifier><ServiceName><Name xml:lang="en">${name}</Name></ServiceName><ServiceDigitalIdentity>${identity}</ServiceDigitalIdentity><ServiceStatus>${root}/TrustedList/Svcstatus/${status}</ServiceStatus><StatusStartingTime>${time(from)}</StatusStartingTime>${all.length === 0 ? "" : `<ServiceInformationExtensions>${all.join("")}</ServiceInformationExtensions>`}`
}

export function extension(content: string, isCritical = true): string {
  return `<Extension Critical="${isCritical}">${content}</Extension>`
}

function qualification(
  { qualifiers, criteria }: { readonly qualifiers: readonly string[]; readonly criteria: string },
  root: string,
): string {
  const words = qualifiers.map((word) => `<sie:Qualifier uri="${root}/TrustedList/SvcInfoExt/${word}"/>`)
  return `<sie:QualificationElement><sie:Qualifiers>${words.join("")}</sie:Qualifiers>${criteria}</sie:QualificationElement>`
}

export const CRITERIA = {
  policies: (...ids: readonly string[]) =>
    `<sie:PolicySet>${ids.map((id) => `<sie:PolicyIdentifier><xades:Identifier>${id}</xades:Identifier></sie:PolicyIdentifier>`).join("")}</sie:PolicySet>`,
  keyUsage: (bits: Readonly<Record<string, boolean>>) =>
    `<sie:KeyUsage>${Object.entries(bits)
      .map(([bit, value]) => `<sie:KeyUsageBit name="${bit}">${value}</sie:KeyUsageBit>`)
      .join("")}</sie:KeyUsage>`,
  purposes: (...ids: readonly string[]) =>
    `<sie:otherCriteriaList><add:ExtendedKeyUsage>${ids.map((id) => `<add:KeyPurposeId><xades:Identifier Qualifier="OIDAsURN">urn:oid:${id}</xades:Identifier></add:KeyPurposeId>`).join("")}</add:ExtendedKeyUsage></sie:otherCriteriaList>`,
  subject: (...ids: readonly string[]) =>
    `<sie:otherCriteriaList><add:CertSubjectDNAttribute>${ids.map((id) => `<add:AttributeOID><xades:Identifier>${id}</xades:Identifier></add:AttributeOID>`).join("")}</add:CertSubjectDNAttribute></sie:otherCriteriaList>`,
  list: (assert: string, ...of: readonly string[]) =>
    `<sie:CriteriaList assert="${assert}">${of.join("")}</sie:CriteriaList>`,
} as const

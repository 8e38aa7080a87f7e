// What a certificate with these statements is worth under services that are listed so: sentence by sentence, with the clause.
// Clauses without another name are those of ETSI TS 119 615. The certificate is of 2020 and signs in June 2025.

import type { Legislation, Quality } from "../report.ts"
import type { Qualifier, ServicePeriod } from "../trusted-list/trusted-list.ts"
import { periodOf } from "./services.ts"
import type { SignerOrder } from "./trust-world.ts"

export type Listing = {
  readonly law?: "EU" | "CH"
  readonly of?: "authority" | "root" | "namesake"
  readonly periods?: readonly ServicePeriod[]
  readonly qualifiers?: readonly Qualifier[]
  readonly listExpires?: string | null
}

export type Row = readonly [
  clause: string,
  sentence: string,
  SignerOrder,
  readonly Listing[],
  Quality,
  Legislation,
]

const SEAL = { types: ["eseal"] } as const
export const NO_DEVICE = { isInDevice: false } as const
const SWISS = { countries: ["CH"] } as const
export const withdrawnSince = (from: string) => [
  periodOf({ status: "withdrawn", from: `${from}T00:00:00.000Z` }),
  periodOf({ until: `${from}T00:00:00.000Z` }),
]
const grantedSince = (from: string) => [periodOf({ from: `${from}T00:00:00.000Z` })]

export const EU: readonly Row[] = [
  ["eIDAS 3 (12)", "a qualified certificate for signatures with a device", {}, [{}], "QES", "EU"],
  ["eIDAS 3 (27)", "a qualified certificate for seals with a device", SEAL, [{}], "QES", "EU"],
  ["4.5, table 7", "the same without a device", NO_DEVICE, [{}], "AES", "EU"],
  ["4.5, table 7", "a seal without a device", { ...SEAL, ...NO_DEVICE }, [{}], "AES", "EU"],
  ["4.5, table 7", "a device by the list", NO_DEVICE, [{ qualifiers: ["QCWithQSCD"] }], "QES", "EU"],
  [
    "4.5, table 7",
    "a device that somebody keeps for the signer",
    NO_DEVICE,
    [{ qualifiers: ["QCQSCDManagedOnBehalf"] }],
    "QES",
    "EU",
  ],
  ["4.5, table 7", "no device by the list", {}, [{ qualifiers: ["QCNoQSCD"] }], "AES", "EU"],
  ["4.5, table 7", "as in the certificate", {}, [{ qualifiers: ["QCQSCDStatusAsInCert"] }], "QES", "EU"],
  ["PRO-4.5.4-04", "a device and none", {}, [{ qualifiers: ["QCWithQSCD", "QCNoQSCD"] }], "AES", "EU"],
  ["4.4, table 1", "a qualified certificate that names no type", { types: [] }, [{}], "QES", "EU"],
  ["4.4, table 1", "one that names two types", { types: ["esign", "eseal"] }, [{}], "SES", "WORLD"],
  [
    "4.4, table 3",
    "one for websites",
    { types: ["web"] },
    [{ periods: [periodOf({ uses: ["esign", "eseal", "web"] })] }],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.4.4-10",
    "one for websites of a service that has no such",
    { types: ["web"] },
    [{}],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.4.4-10",
    "a seal of a service for signatures alone",
    SEAL,
    [{ periods: [periodOf({ uses: ["esign"] })] }],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.4.4-10",
    "a signature of a service for seals alone",
    {},
    [{ periods: [periodOf({ uses: ["eseal"] })] }],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.4.4-10",
    "a service that says not what for",
    {},
    [{ periods: [periodOf({ uses: [] })] }],
    "SES",
    "WORLD",
  ],
  ["4.4, table 1", "not qualified by its own word", { isQualified: false }, [{}], "SES", "WORLD"],
  [
    "4.4, table 1",
    "no statements at all",
    { isQualified: false, isInDevice: false, types: [] },
    [{}],
    "SES",
    "WORLD",
  ],
  [
    "4.4, table 1",
    "not by its own word, but by the list's",
    { isQualified: false },
    [{ qualifiers: ["QCStatement"] }],
    "QES",
    "EU",
  ],
  [
    "4.4, table 1",
    "by the list's word, for a use that nobody names",
    { isQualified: false, types: [] },
    [{ qualifiers: ["QCStatement"] }],
    "SES",
    "WORLD",
  ],
  [
    "4.4, table 1",
    "qualified by its own word, not by the list's",
    {},
    [{ qualifiers: ["NotQualified"] }],
    "SES",
    "WORLD",
  ],
  [
    "4.4, table 1",
    "the list says that it is for signatures",
    SEAL,
    [{ periods: [periodOf({ uses: ["esign"], qualifiers: ["QCForESig"] })] }],
    "QES",
    "EU",
  ],
  [
    "PRO-4.4.4-12",
    "for a legal person, and for signatures",
    {},
    [{ periods: [periodOf({ uses: ["esign"], qualifiers: ["QCForLegalPerson"] })] }],
    "SES",
    "WORLD",
  ],
  ["PRO-4.4.4-05", "issued by somebody who is on no list", {}, [], "SES", "WORLD"],
  ["PRO-4.3.4-03", "a service of the same name and another key", {}, [{ of: "namesake" }], "SES", "WORLD"],
  ["PRO-4.3.4-03", "the root is listed, not who issued it", {}, [{ of: "root" }], "QES", "EU"],
  [
    "PRO-4.3.4-03",
    "a service of another type",
    {},
    [{ periods: [periodOf({ type: "CA/PKC" })] }],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.3.4-03",
    "a service for time-stamps",
    {},
    [{ periods: [periodOf({ type: "TSA/QTST" })] }],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.4.4-10",
    "withdrawn before it was issued",
    {},
    [{ periods: withdrawnSince("2019-06-01") }],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.4.4-36",
    "withdrawn between issuance and signing",
    {},
    [{ periods: withdrawnSince("2024-06-01") }],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.4.4-36",
    "withdrawn after it was signed",
    {},
    [{ periods: withdrawnSince("2026-01-01") }],
    "QES",
    "EU",
  ],
  [
    "PRO-4.4.4-36",
    "granted only after it was issued",
    {},
    [{ periods: grantedSince("2024-01-01") }],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.4.4-36",
    "granted only after it was signed",
    {},
    [{ periods: grantedSince("2026-01-01") }],
    "SES",
    "WORLD",
  ],
  [
    "PRO-4.4.4-09",
    "the issuer is granted and the root withdrawn",
    {},
    [{}, { of: "root", periods: withdrawnSince("2018-01-01") }],
    "SES",
    "WORLD",
  ],
  ["PRO-4.3.4-05", "two entries that say the same", {}, [{}, {}], "QES", "EU"],
  [
    "EN 319 412-5, 4.2.4",
    "qualified by the law of another country",
    { countries: ["JP"] },
    [{}],
    "SES",
    "WORLD",
  ],
  ["EN 319 412-5, 4.2.4", "qualified by Swiss law, of a service of the Union", SWISS, [{}], "SES", "WORLD"],
  [
    "TS 119 612, 5.3.15",
    "a list past its next update",
    {},
    [{ listExpires: "2026-05-01T00:00:00.000Z" }],
    "SES",
    "WORLD",
  ],
  [
    "TS 119 612, 5.3.15",
    "a closed list, while it counted",
    {},
    [{ listExpires: null, periods: [periodOf({ until: "2026-01-01T00:00:00.000Z" })] }],
    "QES",
    "EU",
  ],
  [
    "TS 119 612, 5.3.15",
    "a closed list, after its closing",
    {},
    [{ listExpires: null, periods: [periodOf({ until: "2025-01-01T00:00:00.000Z" })] }],
    "SES",
    "WORLD",
  ],
  [
    "TS 119 612, 5.5.9",
    "a critical extension that nobody knows",
    {},
    [{ periods: [periodOf({ isUnderstood: false })] }],
    "SES",
    "WORLD",
  ],
]

export const CH: readonly Row[] = [
  ["ZertES 2 (e)", "a qualified certificate of Swiss law with a device", SWISS, [{ law: "CH" }], "QES", "CH"],
  ["ZertES 2 (e)", "one of before there was a statement of the law", {}, [{ law: "CH" }], "QES", "CH"],
  [
    "ZertES 2 (e)",
    "a list that leaves the use open",
    SWISS,
    [{ law: "CH", periods: [periodOf({ uses: [] })] }],
    "QES",
    "CH",
  ],
  ["ZertES 2 (c)", "the same without a device", { ...SWISS, ...NO_DEVICE }, [{ law: "CH" }], "AES", "CH"],
  [
    "ZertES 2 (d)",
    "a seal, of which Swiss law knows no qualified one",
    { ...SWISS, ...SEAL },
    [{ law: "CH" }],
    "AES",
    "CH",
  ],
  [
    "ZertES 2 (d)",
    "a regulated certificate that is not qualified",
    { ...SWISS, isQualified: false },
    [{ law: "CH" }],
    "SES",
    "WORLD",
  ],
  [
    "ZertES 2 (e)",
    "a service that has lost its recognition",
    SWISS,
    [{ law: "CH", periods: withdrawnSince("2021-01-01") }],
    "SES",
    "WORLD",
  ],
  [
    "ZertES 2 (e)",
    "qualified by the law of another country",
    { countries: ["LI"] },
    [{ law: "CH" }],
    "SES",
    "WORLD",
  ],
]

export const BOTH: readonly Row[] = [
  ["both laws", "listed in both, and silent about the law", {}, [{}, { law: "CH" }], "QES", "CH_EU"],
  [
    "both laws",
    "listed in both, and of both by its own word",
    { countries: ["CH", "EU"] },
    [{}, { law: "CH" }],
    "QES",
    "CH_EU",
  ],
  ["both laws", "listed in both, and Swiss by its own word", SWISS, [{}, { law: "CH" }], "QES", "CH"],
  [
    "both laws",
    "listed in both, withdrawn in the Union",
    {},
    [{ periods: withdrawnSince("2018-01-01") }, { law: "CH" }],
    "QES",
    "CH",
  ],
  [
    "both laws",
    "a seal: qualified in the Union, regulated in Switzerland",
    SEAL,
    [{}, { law: "CH" }],
    "QES",
    "EU",
  ],
  ["both laws", "without a device, in both", NO_DEVICE, [{}, { law: "CH" }], "AES", "CH_EU"],
]

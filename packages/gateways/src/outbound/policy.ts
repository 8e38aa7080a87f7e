/** Why something leaves the service. Each purpose has its own rules and its own hosts inside the operator's network. */
export type Purpose =
  | "download"
  | "callback"
  | "revocation"
  | "timestamp"
  | "witness"
  | "keys"
  | "identity"
  | "identification"
  | "certificates"
  | "qes"
  | "sms"
  | "trusted-lists"

export type Policy = {
  /** Whether http is taken besides https: from nobody, from hosts that the operator named for this, or from all. */
  readonly http: "never" | "named" | "always"
  /** How many redirects a GET follows, each one checked like the first address. A POST follows none. */
  readonly redirects: number
  /** The service's own certificate proves who we are, so only those may see it whom we notify. */
  readonly showsCertificate: boolean
  /** From the name to the end of the headers: resolving, the proxy, TLS and thinking. Once for each redirect. */
  readonly headersWithinMs: number
  /** The longest silence between two pieces of a body, while somebody waits for one. */
  readonly pauseMs: number
  /**
   * Whether an answer must say where it ends. One that ends where its connection does cannot be told from one
   * that was cut (RFC 9112, 8), and a PDF cut at the end of an earlier revision is still a PDF. What is signed
   * need not say it.
   */
  readonly endIsSaid: boolean
}

// Certificates name their OCSP, CRL and time-stamp addresses with http; what comes back is signed anyway. The key
// server stands at an address of the operator, who may have it on the same machine without TLS. A callback's answer
// is its status, and a key is never asked for at a second address. Who somebody is is told by the very provider that was named.
// An SMS gateway too may stand beside us without TLS, where it is an adapter of the operator's.
// Trusted lists are signed, and some states publish theirs by http.
// A remote signing provider stands at an address of the operator too; its device may think for a while.
export const POLICIES: Readonly<Record<Purpose, Policy>> = {
  download: {
    http: "never",
    redirects: 3,
    showsCertificate: false,
    headersWithinMs: 15_000,
    pauseMs: 10_000,
    endIsSaid: true,
  },
  callback: {
    http: "never",
    redirects: 0,
    showsCertificate: true,
    headersWithinMs: 15_000,
    pauseMs: 5_000,
    endIsSaid: false,
  },
  revocation: {
    http: "always",
    redirects: 3,
    showsCertificate: false,
    headersWithinMs: 10_000,
    pauseMs: 5_000,
    endIsSaid: false,
  },
  timestamp: {
    http: "always",
    redirects: 0,
    showsCertificate: false,
    headersWithinMs: 10_000,
    pauseMs: 5_000,
    endIsSaid: false,
  },
  witness: {
    http: "named",
    redirects: 0,
    showsCertificate: false,
    headersWithinMs: 10_000,
    pauseMs: 5_000,
    endIsSaid: true,
  },
  keys: {
    http: "named",
    redirects: 0,
    showsCertificate: false,
    headersWithinMs: 5_000,
    pauseMs: 2_000,
    endIsSaid: true,
  },
  certificates: {
    http: "never",
    redirects: 0,
    showsCertificate: true,
    headersWithinMs: 20_000,
    pauseMs: 5_000,
    endIsSaid: true,
  },
  identity: {
    http: "never",
    redirects: 0,
    showsCertificate: false,
    headersWithinMs: 10_000,
    pauseMs: 5_000,
    endIsSaid: false,
  },
  identification: {
    http: "named",
    redirects: 0,
    showsCertificate: false,
    headersWithinMs: 15_000,
    pauseMs: 5_000,
    endIsSaid: true,
  },
  qes: {
    http: "named",
    redirects: 0,
    showsCertificate: false,
    headersWithinMs: 45_000,
    pauseMs: 10_000,
    endIsSaid: true,
  },
  sms: {
    http: "named",
    redirects: 0,
    showsCertificate: false,
    headersWithinMs: 10_000,
    pauseMs: 5_000,
    endIsSaid: true,
  },
  "trusted-lists": {
    http: "always",
    redirects: 3,
    showsCertificate: false,
    headersWithinMs: 20_000,
    pauseMs: 10_000,
    endIsSaid: false,
  },
}

/** `host` (any port) or `host:port`, by purpose: only these may be private or loopback, and only for that purpose. */
export type AllowedHosts = Readonly<Partial<Record<Purpose, readonly string[]>>>

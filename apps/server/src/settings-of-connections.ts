import * as kind from "./setting.ts"
import { CONNECTIONS } from "./transport.ts"

/** How connections are protected, and how this process logs in to what is on their other side. */
export const TLS = {
  TLS_CERT_FILE: kind.text(
    "",
    "PEM: the certificate, then its issuers, with which HOST speaks TLS itself. Read again when it changes. Empty: a proxy on this machine does.",
  ),
  TLS_KEY_FILE: kind.text("", "PEM: the private key of that certificate."),
  MANAGEMENT_TLS: kind.bool(false, "Whether health and metrics speak TLS, too, by the same certificate."),
  INSECURE_TRANSPORT_ALLOWED: kind.someOf(
    CONNECTIONS,
    `Connections that may be plain with PRODUCTION, because the network between protects them: ${CONNECTIONS.join(", ")}.`,
    [],
  ),
} as const

export const SCANNER_TLS = {
  SCANNER_CA_FILE: kind.text(
    "",
    "PEM: who vouches for a scanner with tls. Empty: the authorities that Node knows.",
  ),
  SCANNER_CERTIFICATE_FILE: kind.text(
    "",
    "PEM: the certificate that we show to a scanner with tls who asks for one.",
  ),
  SCANNER_KEY_FILE: kind.text("", "PEM: the private key of that certificate."),
} as const

export const MAIL_CREDENTIALS = {
  SMTP_PASSWORD_FILE: kind.text(
    "",
    "File with the password of the user in SMTP_URL. Read for each mail, so that it can be replaced without a restart.",
  ),
} as const

export const S3_CREDENTIALS = {
  S3_CREDENTIALS: kind.oneOf(
    ["keys", "platform"],
    "keys",
    "Where the credentials of the bucket come from: keys (S3_ACCESS_KEY and S3_SECRET_KEY), or platform, the default chain of AWS's SDK, such as a web identity token of Kubernetes, a container's or a machine's role, or a program.",
  ),
} as const

/** Another authority, reached by EST (RFC 7030). */
export const EST = {
  EST_URL: kind.text("", "Issuer est: address of the EST server, such as https://ca.example.org."),
  EST_LABEL: kind.text("", "Issuer est: label of the authority there, if it has several."),
  EST_USERNAME: kind.text("", "Issuer est: user name, where no certificate says who we are."),
  EST_PASSWORD: kind.optionalSecret("Issuer est: password of that user."),
  EST_CERTIFICATE_FILE: kind.text(
    "",
    "Issuer est: PEM, the certificate and its issuers that we show to the server.",
  ),
  EST_KEY_FILE: kind.text("", "Issuer est: PEM, the private key of that certificate."),
  EST_ANCHORS_FILE: kind.text("", "Issuer est: PEM, the roots that its certificates must lead to."),
  EST_ALLOWED_HOSTS: kind.list(
    "",
    "Hosts, or host:port, inside your network that may be asked for certificates.",
  ),
} as const

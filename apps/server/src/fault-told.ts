/**
 * One sentence for a fault that whoever runs the service can mend, with the setting or the command that mends it; null for
 * everything else, whose stack is wanted. Drivers say such things in words of their own, which name neither.
 */
export function faultTold(error: unknown): string | null {
  if (error instanceof AggregateError && error.errors.length > 0) return faultTold(error.errors[0])
  if (!(error instanceof Error)) return null
  return (
    ofDatabase(error) ?? ofBucket(error) ?? ofSystem(error) ?? (OURS.has(error.name) ? ofOurs(error) : null)
  )
}

type WithCode = Error & { readonly code?: unknown; readonly $metadata?: { readonly httpStatusCode?: number } }

/** Appendix A of PostgreSQL's manual. */
const DATABASE: Readonly<Record<string, string>> = {
  "42P01": "The database has not the schema of this version: paraph migrate",
  "42703": "The database has not the schema of this version: paraph migrate",
  "28P01": "The database does not accept the role or its password (DATABASE_URL, DATABASE_OWNER_URL)",
  "28000": "The database does not accept the role (DATABASE_URL, DATABASE_OWNER_URL)",
  "3D000": "There is no such database (DATABASE_URL, DATABASE_OWNER_URL)",
  "42501":
    "The role of the database may not do this; paraph migrate and paraph restore take the one of DATABASE_OWNER_URL",
  "53300": "The database has no connection left: fewer DATABASE_CONNECTIONS, or a higher max_connections",
}

function ofDatabase(error: WithCode): string | null {
  const known = typeof error.code === "string" ? DATABASE[error.code] : undefined
  if (known !== undefined) return `${known} (${error.message}).`
  // The queue is made by the same command, and is what a server looks for first. The runner of migrations has no code, only words.
  if (/^pg-boss (is not installed|database requires migrations)/.test(error.message))
    return `${DATABASE["42P01"]} (the queue is missing).`
  if (/^Unable to ensure migrations table: .*permission denied/.test(error.message))
    return `${DATABASE["42501"]} (${error.message}).`
  return null
}

/** Its client says `UnknownError` where an answer has no body, as those to HEAD have not. */
function ofBucket({ $metadata, name, message }: WithCode): string | null {
  const status = $metadata?.httpStatusCode
  if (status === undefined) return null
  const said = `${status}, ${name === "Error" || name === "UnknownError" ? message : name}`
  if (name === "NoSuchBucket" || status === 404) return `There is no such bucket: see S3_BUCKET (${said}).`
  if (status === 301 || name === "AuthorizationHeaderMalformed")
    return `The bucket is elsewhere: see S3_ENDPOINT and S3_REGION (${said}).`
  if (status === 401 || status === 403)
    return `The bucket refuses the access key: see S3_ACCESS_KEY, S3_SECRET_KEY and its rights (${said}).`
  return `The bucket answers with a fault (${said}).`
}

const SYSTEM: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nobody listens there",
  ECONNRESET: "The connection was cut",
  EHOSTUNREACH: "There is no way there",
  ENETUNREACH: "There is no way there",
  ENOTFOUND: "There is no such host",
  EAI_AGAIN: "The name of the host cannot be looked up",
  ETIMEDOUT: "No answer came",
  ENOSPC: "The disk is full",
  EDQUOT: "The disk is full",
  ENOENT: "A file or folder is missing",
  EACCES: "A file or folder is not this user's to use",
  EROFS: "The disk is read-only",
}

function ofSystem({ code, message }: WithCode): string | null {
  const known = typeof code === "string" ? SYSTEM[code] : undefined
  return known === undefined ? null : `${known}: ${message}.`
}

/** Faults of our own gateways: their sentences are for people already. */
const OURS = new Set([
  "KeysFailed",
  "KeyEncryptionFailed",
  "OutboundFailed",
  "IssuingFailed",
  "ScannerFailed",
])

/** The name of a return value of PKCS#11 is all that some modules say. */
const ofOurs = ({ message }: Error): string =>
  /^CKR_\w+$/.test(message)
    ? `The module of the HSM answers ${message}: see PKCS11_MODULE, its own configuration and the labels of tokens.`
    : message

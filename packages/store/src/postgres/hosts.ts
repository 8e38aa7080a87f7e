/** One server of a cluster, as the address names it. */
export type Host = { readonly host: string; readonly port: number }

export type Address = {
  /** By one host, as every driver reads it. */
  readonly url: string
  readonly hosts: readonly Host[]
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/i
const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i

/** The same address by this host alone. */
export function addressBy(address: string, { host, port }: Host): string {
  const [, before = "", , rest = ""] = PARTS.exec(address) ?? []
  return `${before}${host.includes(":") ? `[${host}]` : host}:${port}${rest}`
}

/**
 * A PostgreSQL address may name several hosts, as libpq has it (PostgreSQL's manual, 34.1.1.2):
 * `postgresql://role:password@one:5432,two:5432/paraph`. The driver reads one only.
 */
export function readAddress(address: string): Address {
  const [, before = "", authority = "", rest = ""] = PARTS.exec(address) ?? []
  const named = authority.split(",")
  if (named.length < 2) return { url: address, hosts: [] }
  const hosts = named.map(readHost)
  return { url: `${before}${named[0]}${rest}`, hosts }
}

function readHost(text: string): Host {
  const [, host, port = "5432"] = HOST.exec(text) ?? []
  // Without the address: it holds a password.
  if (host === undefined) throw new RangeError("A host of the database's address cannot be read.")
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) }
}

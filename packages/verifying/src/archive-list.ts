// The list of an archive, `paraph-export/1`. Whoever made the archive wrote it; it proves that nothing was lost on the way, and no more.

export type ArchiveList = {
  readonly business: string
  readonly exportedAt: string
  /** There is no further archive behind this one. */
  readonly isLast: boolean
  readonly isDemo: boolean
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

/** Null where it is none. */
export function readList(bytes: Uint8Array): ArchiveList | null {
  const parsed = parse(bytes)
  if (!isObject(parsed) || parsed.format !== "paraph-export/1") return null
  const { kind, business, exported_at: exportedAt, is_last: isLast, files } = parsed
  if (kind !== "demo" && kind !== "production") return null
  if (!isObject(business) || typeof business.name !== "string") return null
  if (typeof exportedAt !== "string" || Number.isNaN(Date.parse(exportedAt))) return null
  if (typeof isLast !== "boolean" || !Array.isArray(files) || !files.every(isFile)) return null
  if (new Set(files.map(({ path }) => path)).size !== files.length) return null
  return { business: business.name, exportedAt, isLast, isDemo: kind === "demo", files }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

const isObject = (it: unknown): it is Record<string, unknown> =>
  typeof it === "object" && it !== null && !Array.isArray(it)

const isFile = (it: unknown): it is ArchiveList["files"][number] =>
  isObject(it) &&
  typeof it.path === "string" &&
  typeof it.sha256 === "string" &&
  /^[0-9a-f]{64}$/.test(it.sha256)

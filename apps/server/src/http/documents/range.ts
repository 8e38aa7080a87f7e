import type { ByteRange } from "@paraph/core/document/ports"

type Headers = { readonly range?: string | undefined; readonly "if-range"?: unknown }

/**
 * RFC 9110, 14.2: one range. Several at once, or one that cannot be read, are answered with the whole; If-Range is met
 * by the very same bytes alone, and there are no dates here to compare.
 */
export function rangeOf(
  { range, "if-range": ifRange }: Headers,
  etag: string,
  size: number,
): ByteRange | "unsatisfiable" | null {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null
  const [, first, last, suffix] = ONE_RANGE.exec(range) ?? []
  if (first === undefined && suffix === undefined) return null
  if (first !== undefined && last && BigInt(last) < BigInt(first)) return null
  // 14.1.2: a suffix that is longer than the whole means the whole.
  const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first)
  const end = last ? Math.min(Number(last) + 1, size) : size
  return start < size ? { start, end } : "unsatisfiable"
}

const ONE_RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i

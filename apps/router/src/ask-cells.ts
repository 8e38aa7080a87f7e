import type { CellPlace } from "@paraph/store/directory/cells-file"

/** What a cell says of a name: whose it is, that it does not know it, or nothing, where it does not answer. */
export type Said = { readonly business: string | null } | "unknown" | "silent"

export type Ask = (cell: CellPlace, name: string) => Promise<Said>

const ASK_MS = 3_000

/** By the management ports of the cells, whose addresses are from our own settings. */
export const askCell: Ask = async (cell, name) => {
  try {
    const answer = await fetch(`${cell.management}/management/knows`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name }),
      redirect: "error",
      signal: AbortSignal.timeout(ASK_MS),
    })
    const read = (await answer.json()) as { readonly business?: unknown }
    if (answer.status === 404) return "unknown"
    if (answer.status !== 200) return "silent"
    return { business: typeof read.business === "string" ? read.business : null }
  } catch {
    return "silent"
  }
}

/** The public keys of all cells together; a cell that does not answer is left out (RFC 7517). */
export async function keysOf(cells: readonly CellPlace[], host: string): Promise<readonly unknown[]> {
  const sets = await Promise.all(cells.map((cell) => keySet(cell, host)))
  const keys = new Map(sets.flat().map((key) => [(key as { readonly kid?: string }).kid, key]))
  return [...keys.values()]
}

async function keySet(cell: CellPlace, host: string): Promise<readonly unknown[]> {
  try {
    const headers = { host, "x-forwarded-proto": "https" }
    const signal = AbortSignal.timeout(ASK_MS)
    const answer = await fetch(`${cell.url}/.well-known/jwks.json`, { headers, redirect: "error", signal })
    const { keys } = (await answer.json()) as { readonly keys?: unknown }
    return Array.isArray(keys) ? keys : []
  } catch {
    return []
  }
}

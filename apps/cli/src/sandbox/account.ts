import { execFileSync } from "node:child_process"
import { NotUnderstood } from "../not-understood.ts"

export type Account = { readonly uid: number; readonly gid: number }

/** PostgreSQL refuses to run as root, so root lends it another account. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ["postgres", "nobody"]) {
    const id = (which: string) =>
      Number(execFileSync("id", [which, name], { stdio: ["ignore", "pipe", "ignore"] }))
    try {
      return { uid: id("-u"), gid: id("-g") }
    } catch {}
  }
  throw new NotUnderstood("PostgreSQL does not run as root, and there is neither a user postgres nor nobody.")
}

import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { FastifyInstance } from "fastify"

/** The page as it was built; `npm run build` makes it. */
const BUILT = fileURLToPath(new URL("../../../verify/dist/verify.html", import.meta.url))

/**
 * The page that checks signatures and stories without us, for whoever wants to save it (ADR 0054). It brings its own policy along,
 * which allows its own script and style by their digests and nothing else; the header says the same, and that nobody frames it.
 */
export async function verifyPage(
  scope: FastifyInstance,
  { file = BUILT }: { readonly file?: string },
): Promise<void> {
  const page = readIfThere(file)
  scope.get("/verify", async (_, reply) => {
    if (page === undefined)
      return reply.code(404).type("text/plain").send("There is nothing at this address.")
    return reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-cache")
      .header("content-security-policy", `${policyIn(page)}; frame-ancestors 'none'`)
      .send(page)
  })
}

const policyIn = (page: string): string =>
  /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "default-src 'none'"

/** Of a server whose page is not built yet, the rest works too. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

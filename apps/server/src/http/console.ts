import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import staticFiles from "@fastify/static"
import type { FastifyInstance } from "fastify"

/** The console as it was built; `npm run build` makes it. */
const BUILT = fileURLToPath(new URL("../../../console/dist", import.meta.url))

/**
 * The application in which a business works, as files alone. What it does, it does through the public interface with the
 * token of whoever is signed in, so there is nothing here to guard.
 */
export async function consoleApp(app: FastifyInstance): Promise<void> {
  await app.register(staticFiles, {
    root: BUILT,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Files under assets/ carry a hash of their content in their name.
      const isHashed = path.includes("/assets/")
      reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache")
      if (path.endsWith(".html")) reply.header("content-security-policy", POLICY)
    },
  })
  const isBuilt = existsSync(join(BUILT, "index.html"))
  // Every other address is a screen of the application, which reads it itself.
  app.setNotFoundHandler(({ method, url }, reply) =>
    !isBuilt || method !== "GET" || url.startsWith("/console/assets/")
      ? reply.code(404).type("text/plain").send("There is nothing at this address.")
      : reply.sendFile("index.html"),
  )
}

/** Security, R25, and pictures of pages: they are fetched with a token, which no address carries, and shown from memory. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(";")

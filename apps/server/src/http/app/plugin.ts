import cookie from "@fastify/cookie"
import staticFiles from "@fastify/static"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"
import { account } from "./account/plugin.ts"
import { branding } from "./branding.ts"
import { BUILT } from "./built-files.ts"
import { code } from "./code.ts"
import { documents } from "./documents.ts"
import { door } from "./door.ts"
import { downloads } from "./downloads.ts"
import { events } from "./events.ts"
import { framesOfApplication } from "./frames.ts"
import { identify } from "./identify.ts"
import { language } from "./language.ts"
import { operator } from "./operator/plugin.ts"
import { ourPagesOnly } from "./our-pages.ts"
import { picture } from "./picture.ts"
import { provider } from "./provider.ts"
import { release } from "./release.ts"
import { signature } from "./signature.ts"

/** Where people sign. Not a contract: the built application and these routes change together. */
export async function app(scope: FastifyInstance, parts: Parts): Promise<void> {
  ourPagesOnly(scope, parts)
  await scope.register(cookie)
  // The door is a form without fields; what it sends is not read.
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 1024 },
    (_, __, done) => done(null, null),
  )
  framesOfApplication(scope, parts)
  await scope.register(staticFiles, {
    root: BUILT,
    prefix: "/app/",
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Files under assets/ carry a hash of their content in their name.
      reply.header(
        "cache-control",
        path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      )
    },
  })
  branding(scope, parts)
  door(scope, parts)
  account(scope, parts)
  operator(scope, parts)
  language(scope, parts)
  signature(scope, parts)
  picture(scope, parts)
  code(scope, parts)
  identify(scope, parts)
  release(scope, parts)
  provider(scope, parts)
  documents(scope, parts)
  downloads(scope, parts)
  events(scope, parts)
}

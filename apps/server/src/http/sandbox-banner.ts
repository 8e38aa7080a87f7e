import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import type { FastifyInstance } from "fastify"

const PATH = "/sandbox.css"

/**
 * In `paraph sandbox` every page says in red what it is. The pages themselves know nothing of it: what is sent to a browser gets one more
 * style sheet, by a file of our own, so that the policy of the pages stays what it is.
 */
export function sandboxBanner(server: FastifyInstance): void {
  server.get(PATH, (_, reply) => reply.type("text/css; charset=utf-8").send(STYLE))
  server.addHook("onSend", async (_, reply, payload) => {
    if (!String(reply.getHeader("content-type")).startsWith("text/html")) return payload
    const page = payload instanceof Readable ? await text(payload) : payload
    if (typeof page !== "string" || !page.includes("</head>")) return page
    for (const name of ["content-length", "etag", "last-modified"]) reply.removeHeader(name)
    return page.replace("</head>", `<link rel="stylesheet" href="${PATH}"></head>`)
  })
}

const WORDS = {
  en: "SANDBOX: nothing that is signed here has legal effect.",
  de: "SANDBOX: Nichts, was hier signiert wird, hat rechtliche Wirkung.",
  fr: "SANDBOX : rien de ce qui est signé ici n’a d’effet juridique.",
  it: "SANDBOX: nulla di ciò che viene firmato qui ha effetto giuridico.",
} as const

const said = ([language, words]: readonly [string, string]): string =>
  `html:lang(${language}) body::before{content:"${words}"}`

const STYLE = `body::before{content:"${WORDS.en}";display:block;position:sticky;top:0;z-index:1000;padding:.4rem 1rem;
background:#b3001b;color:#fff;font:600 .875rem/1.4 system-ui,sans-serif;text-align:center}
${Object.entries(WORDS).map(said).join("\n")}
`

import type { APIRoute } from "astro"
import { type Page, pages } from "../pages-told.ts"

/** For programs that read: what there is, one line a page (llmstxt.org). */
export const GET: APIRoute = async () => {
  const all = await pages()
  const parts = [
    "# Paraph",
    "> An electronic signature service that its users run themselves: PDFs, REST interfaces v1, v2 and v3, validation, proof.",
    "Every page in one file: /llms-full.txt. Descriptions of the interface: /files/openapi/v2.json, v3.json, v1.swagger.json, validation-v1.json.",
    ...section(
      "Guides",
      all.filter(({ slug }) => /^(quickstart$|guides\/|howto\/|sdk$|cli$)/.test(slug)),
    ),
    ...section(
      "Running it",
      all.filter(({ slug }) => /^(operations|upgrade|two-regions|cells|deploy)/.test(slug)),
    ),
    ...section(
      "Proof",
      all.filter(({ slug }) => /^(verify|validation|pdf-reading|security|glossary)/.test(slug)),
    ),
    ...section(
      "For signers",
      all.filter(({ slug }) => slug.startsWith("signers/")),
    ),
    ...section(
      "Optional",
      all.filter(({ slug }) =>
        /^(interface|architecture|signature-cycle|contributing|packages|decisions)/.test(slug),
      ),
    ),
  ]
  return new Response(`${parts.join("\n\n")}\n`)
}

const section = (title: string, listed: readonly Page[]): string[] => [
  `## ${title}`,
  listed
    .map(({ slug, name, about }) => `- [${name}](/${slug}/)${about === "" ? "" : `: ${about}`}`)
    .join("\n"),
]

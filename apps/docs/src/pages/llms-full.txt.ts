import type { APIRoute } from "astro"
import { pages } from "../pages-told.ts"

/** All that is for people who use or run it, as it was written. Decisions and lists of pictures are left out. */
export const GET: APIRoute = async () => {
  const told = (await pages()).filter(({ slug }) => !/^(decisions|screens|packages|index)/.test(slug))
  return new Response(
    told.map(({ slug, name, body }) => `# ${name}\n\nAddress: /${slug}/\n\n${body.trim()}\n`).join("\n"),
  )
}

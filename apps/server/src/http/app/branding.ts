import { readAccent } from "@paraph/core/branding/accent"
import type { Branding } from "@paraph/core/branding/model"
import { type Shade, shadesOf } from "@paraph/core/branding/shades"
import { Refusal } from "@paraph/core/refusal"
import { UUID } from "@paraph/core/uuid"
import type { FastifyInstance } from "fastify"
import type { Parts } from "../../parts.ts"

/** How a business shows itself on the pages of its signers, as addresses of our own; null where it is as everybody's. */
export type Shown = { readonly style: string | null; readonly logo: string | null }

export const shownOf = ({ accent, logoId }: Pick<Branding, "accent" | "logoId">): Shown => ({
  style: accent === null ? null : `/app/accent/${accent.slice(1)}.css`,
  logo: logoId === null ? null : `/app/logo/${logoId}.png`,
})

/** Another accent or logo has another address: so what is there stays as it is. */
const FOR_EVER = "public, max-age=31536000, immutable"

/**
 * What the door shows before anybody has a session, and so for everybody who knows the address. A style says nothing but the
 * colour that is in its address; the content security policy allows none inside a page.
 */
export function branding(app: FastifyInstance, parts: Parts): void {
  app.get<{ Params: { accent: string } }>("/app/accent/:accent([0-9a-f]{6}).css", async (request, reply) => {
    const { light, dark } = shadesOf(readAccent(`#${request.params.accent}`))
    const style = `:root { ${rules(light)} }\n@media (prefers-color-scheme: dark) {\n  :root { ${rules(dark)} }\n}\n`
    return reply.type("text/css").header("cache-control", FOR_EVER).send(style)
  })

  app.get<{ Params: { id: string } }>(`/app/logo/:id(${UUID}).png`, async (request, reply) => {
    const logo = await parts.findLogo(request.params.id)
    if (logo === null) throw new Refusal("not-found", "There is no such picture.")
    return reply.type("image/png").header("cache-control", FOR_EVER).send(Buffer.from(logo.png))
  })
}

const rules = ({ accent, strong, on }: Shade): string =>
  `--accent: ${accent}; --accent-strong: ${strong}; --on-accent: ${on};`

import { cpSync, globSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import starlight from "@astrojs/starlight"
import type { AstroIntegration } from "astro"
import { defineConfig } from "astro/config"
import starlightOpenAPI, { createOpenAPISidebarGroup } from "starlight-openapi"
import { isHandedOut, ROOT } from "./src/papers.ts"
import { sidebar } from "./src/sidebar.ts"

const reference = createOpenAPISidebarGroup()

const describe = (file: string, base: string, label: string) => ({
  base: `reference/${base}`,
  schema: join(ROOT, "openapi", file),
  sidebar: { label, collapsed: true, group: reference, operations: { badges: true } },
})

export default defineConfig({
  trailingSlash: "always",
  integrations: [
    starlight({
      title: "Paraph",
      description: "An electronic signature service that its users run themselves.",
      favicon: "/icon.svg",
      logo: { src: "./public/icon.svg", alt: "" },
      routeMiddleware: "./src/sidebar-by-part.ts",
      components: { LanguageSelect: "./src/components/LanguageSelect.astro" },
      customCss: ["./src/styles/paraph.css"],
      defaultLocale: "root",
      locales: {
        root: { label: "English", lang: "en" },
        de: { label: "Deutsch", lang: "de-CH" },
        fr: { label: "Français", lang: "fr-CH" },
        it: { label: "Italiano", lang: "it-CH" },
      },
      sidebar: sidebar({ label: "Reference", items: [reference] }),
      plugins: [
        starlightOpenAPI([
          describe("v2.json", "v2", "v2, stable"),
          describe("v3.json", "v3", "v3, preview"),
          describe("v1.swagger.json", "v1", "v1, deprecated"),
          describe("validation-v1.json", "validation-v1", "Validation v1"),
        ]),
      ],
    }),
    filesHandedOut(),
  ],
})

/** Pictures of screens, the example, what operators deploy: as they are, under /files/. */
function filesHandedOut(): AstroIntegration {
  return {
    name: "files-handed-out",
    hooks: {
      "astro:build:done": ({ dir }) => {
        const to = join(fileURLToPath(dir), "files")
        const files = globSync(["docs/**/*.*", "deploy/**/*.*", "openapi/*.json"], { cwd: ROOT }).filter(
          isHandedOut,
        )
        for (const file of files) cpSync(join(ROOT, file), join(to, file))
      },
    },
  }
}

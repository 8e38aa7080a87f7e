import type { StarlightUserConfig } from "@astrojs/starlight/types"
import { papers } from "./papers.ts"

type Sidebar = NonNullable<StarlightUserConfig["sidebar"]>

const SIGNERS = ["signers/asked-to-sign", "signers/signing", "signers/afterwards"]
const FIRST_STEPS = ["quickstart", "howto/test-with-the-sandbox", "howto/test-with-demo-keys", "sdk"]
const RUNNING = [
  "operations",
  "upgrade",
  "two-regions",
  "deploy/helm",
  "deploy/terraform",
  "howto/run-the-authority",
  "howto/connect-a-qualified-provider",
  "howto/connect-an-identity-provider",
  "howto/connect-an-sms-gateway",
  "howto/single-sign-on",
  "cli",
]
const PROOF = ["verify", "validation-differences", "pdf-reading", "security"]
const INTERFACE = [
  "interface/choices",
  "interface/divergences",
  "interface/requirements",
  "interface/clients",
  "interface/changes-of-v3",
]
const CONTRIBUTING = [
  "contributing",
  "architecture",
  "signature-cycle",
  "glossary",
  "howto/add-an-endpoint",
  "howto/add-a-refusal",
  "howto/add-a-mail",
  "howto/change-the-schema",
  "howto/read-the-reference",
  "screens",
]

/** Guides for operators and for lawyers stand with their own; all others are for those who write programs. */
const GUIDES_ELSEWHERE: Readonly<Record<string, "running" | "proof">> = {
  "guides/backup-and-restore": "running",
  "guides/monitoring": "running",
  "guides/sizing": "running",
  "guides/qualities-for-lawyers": "proof",
  "guides/security-whitepaper": "proof",
}

/** What is listed nowhere fails the build of nothing but a test: tests/clients/documentation-site.test.ts. */
export function sidebar(reference: Sidebar[number]): Sidebar {
  const slugs = papers().map(({ slug }) => slug)
  const guides = slugs.filter((slug) => /^guides\//.test(slug))
  const guidesOf = (place?: "running" | "proof") => guides.filter((slug) => GUIDES_ELSEWHERE[slug] === place)
  const named = [...SIGNERS, ...FIRST_STEPS, ...RUNNING, ...PROOF, ...INTERFACE, ...CONTRIBUTING]
  const howtos = slugs.filter((slug) => /^howto\//.test(slug) && !named.includes(slug))
  return [
    { label: "First steps", items: FIRST_STEPS },
    { label: "Guides", items: [...guidesOf(), ...howtos] },
    reference,
    { label: "Signatures and proof", items: [...guidesOf("proof"), ...PROOF] },
    { label: "Running it", items: [...RUNNING, ...guidesOf("running")] },
    { label: "The interface", collapsed: true, items: INTERFACE },
    {
      label: "For signers",
      translations: { de: "Für Unterzeichnende", fr: "Pour les signataires", it: "Per chi firma" },
      items: SIGNERS,
    },
    {
      label: "For contributors",
      collapsed: true,
      items: [
        ...CONTRIBUTING,
        { label: "Packages", collapsed: true, items: slugs.filter((slug) => /^packages\//.test(slug)) },
        { label: "Decisions", collapsed: true, items: slugs.filter((slug) => /^decisions(\/|$)/.test(slug)) },
      ],
    },
  ]
}

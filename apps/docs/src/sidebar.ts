import type { StarlightUserConfig } from "@astrojs/starlight/types"
import { papers } from "./papers.ts"

type Sidebar = NonNullable<StarlightUserConfig["sidebar"]>

const SIGNERS = ["signers/asked-to-sign", "signers/signing", "signers/afterwards"]
const FIRST_STEPS = ["quickstart", "howto/test-with-the-sandbox", "howto/test-with-demo-keys", "sdk"]
const GUIDES = [
  "guides/first-request",
  "guides/order-and-groups",
  "guides/signers-without-an-account",
  "guides/embed-the-signing-page",
  "howto/callbacks",
  "howto/webhooks",
  "howto/attachments-groups-observers",
  "howto/seal-documents",
  "guides/pdf-a",
  "guides/validate-documents",
  "guides/errors",
  "guides/move-from-another-service",
]
const RUNNING = [
  "operations",
  "guides/sizing",
  "guides/monitoring",
  "guides/runbook",
  "guides/backup-and-restore",
  "upgrade",
  "two-regions",
  "cells",
  "deploy/helm",
  "deploy/terraform",
  "howto/run-the-authority",
  "howto/connect-a-qualified-provider",
  "howto/connect-an-identity-provider",
  "howto/connect-an-sms-gateway",
  "howto/single-sign-on",
  "cli",
]
const PROOF = [
  "guides/qualities-for-lawyers",
  "guides/security-whitepaper",
  "verify",
  "validation-differences",
  "pdf-reading",
  "security",
  "security/asvs",
  "reliability",
  "performance",
  "scale",
]
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

/** A page that no list names fails tests/clients/documentation-site.test.ts. */
export function sidebar(reference: Sidebar[number]): Sidebar {
  const slugs = papers().map(({ slug }) => slug)
  return [
    { label: "First steps", items: FIRST_STEPS },
    { label: "Guides", items: GUIDES },
    reference,
    { label: "Signatures and proof", items: PROOF },
    { label: "Running it", items: RUNNING },
    { label: "The interface", collapsed: true, items: INTERFACE },
    {
      label: "For signers",
      translations: {
        "de-CH": "Für Unterzeichnende",
        "fr-CH": "Pour les signataires",
        "it-CH": "Per chi firma",
      },
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

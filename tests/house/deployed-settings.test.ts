import { execFileSync } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { loadConfig } from "../../apps/server/src/config.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const HELM = join(ROOT, ".tools/bin/helm")
const PYTHON = join(ROOT, ".tools/deployment/bin/python")

type Env = Readonly<Record<string, string>>
type Container = { readonly env: readonly { readonly name: string; readonly value: string }[] }
type Thing = {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data: Env
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } }
}

const EXAMPLES = [
  ["laptop"],
  ["company"],
  ["country"],
  ["two-regions/both", "two-regions/ch"],
  ["two-regions/both", "two-regions/de"],
]

describe.runIf(existsSync(HELM) && existsSync(PYTHON))(
  "the settings that the chart gives to each process",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "paraph-deployed-"))
    afterAll(() => rmSync(folder, { recursive: true }))

    /** What an operator would have put into the Secret: a key, 32 bytes in hex, or any text. */
    const secret = (name: string): string => {
      const file = join(folder, name)
      const { privateKey } = generateKeyPairSync("ed25519")
      const pem = privateKey.export({ type: "pkcs8", format: "pem" })
      const address = "postgresql://paraph@database.internal/paraph?sslmode=verify-full"
      if (name.startsWith("DATABASE")) writeFileSync(file, address)
      else writeFileSync(file, /_KEY$/.test(name) && !name.startsWith("S3") ? pem : "5e".repeat(32))
      return file
    }
    const things = (names: readonly string[]): readonly Thing[] => {
      const values = names.flatMap((name) => ["--values", `deploy/examples/${name}.yaml`])
      const file = join(folder, "rendered.yaml")
      const options = { cwd: ROOT, encoding: "utf8", maxBuffer: 64_000_000 } as const
      writeFileSync(
        file,
        execFileSync(HELM, ["template", "paraph", "deploy/helm/paraph", ...values], options),
      )
      return JSON.parse(execFileSync(PYTHON, ["tests/house/read_deployment.py", "yaml", file], options))
    }
    /** As the kubelet puts it together, with files that are there. */
    const envOf = (settings: Env, { env }: Container): Env => {
      const given = env.map(({ name, value }) => [
        name,
        value.startsWith("/run/secrets/") ? secret(name.replace(/_FILE$/, "")) : value,
      ])
      return { ...settings, ...Object.fromEntries(given) }
    }

    it.each(EXAMPLES.map((names) => [names.at(-1) ?? "", names] as const))(
      "are usable, for %s",
      (_, names) => {
        const all = things(names)
        const settings =
          all.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "paraph")?.data ?? {}
        const roles = all.flatMap(({ kind, metadata, spec }) => {
          if (kind !== "Deployment" && kind !== "Job") return []
          const { containers } = spec.template.spec
          const [config] = containers.map((one) => loadConfig(envOf(kind === "Job" ? {} : settings, one)))
          expect(config?.SPOOL_FOLDER).toBe("/var/tmp/paraph")
          return `${metadata.name}: ${config?.ROLES.join()}${config?.DATABASE_OWNER_URL === "" ? "" : " by the owner"}`
        })
        const apart = names.join() !== "laptop" && names.join() !== "company"
        expect(roles.sort()).toEqual([
          `paraph-api: ${apart ? "api" : "api,validation"}`,
          `paraph-migration: api${names.join() === "laptop" ? "" : " by the owner"}`,
          ...(apart ? ["paraph-validation: validation"] : []),
          "paraph-worker: worker",
        ])
      },
    )
  },
)

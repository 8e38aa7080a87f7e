// The figures as docs/performance.md shows them: a table, and a picture of how far each is from its target.
import { readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import type { Figure } from "./figure.ts"

const DOCS = join(import.meta.dirname, "../../../docs")
const PAGE = join(DOCS, "performance.md")
const FIGURES = join(DOCS, "performance.json")
const PICTURE = join(DOCS, "performance.svg")

type Kept = Figure & { readonly at: string; readonly commit: string }

/** Those of this run in the place of those of before; so paths can be measured one by one. */
export function writeReport(figures: readonly Figure[], commit: string, at: Date): void {
  const kept = new Map((JSON.parse(readFileSync(FIGURES, "utf8")) as Kept[]).map((one) => [one.path, one]))
  for (const figure of figures)
    kept.set(figure.path, { ...figure, at: at.toISOString().slice(0, 10), commit })
  const all = [...kept.values()]
  writeFileSync(FIGURES, `${JSON.stringify(all, null, 2)}\n`)
  writeFileSync(PICTURE, drawn(all))
  writePart("bench", [...tableOf(all), "", `On ${hardware()}.`])
}

/** What stands between the two marks of that name. */
export function writePart(name: string, lines: readonly string[]): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const page = readFileSync(PAGE, "utf8")
  if (!page.includes(begin) || !page.includes(end))
    throw new Error(`performance.md has no place for ${name}.`)
  const [before, after] = [page.slice(0, page.indexOf(begin)), page.slice(page.indexOf(end))]
  writeFileSync(PAGE, `${before}${begin}\n\n${lines.join("\n")}\n\n${after}`)
}

export const hardware = (): string => `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`

const rounded = (figure: number): string => String(Number(figure.toPrecision(3)))

function tableOf(all: readonly Kept[]): readonly string[] {
  const lines = all.map(({ path, unit, ours, bare, beside, ratio, target, isMet, at, commit }) =>
    [
      path,
      `${rounded(ours)} ${unit}`,
      `${rounded(bare)} (${beside})`,
      `${rounded(ratio)} ×`,
      `${target}: ${isMet ? "met" : "**not met**"}`,
      `${at}, ${commit}`,
    ].join(" | "),
  )
  const head = ["path | ours | beside it | ratio | target | measured", "--- | --- | --- | --- | --- | ---"]
  return [...head, ...lines].map((line) => `| ${line} |`)
}

const ROW = 28
const LEFT = 320
const SCALE = 180

/** How much of the target is reached: 1 is the line; longer is better, whichever way the target goes. */
const reached = ({ ratio, target }: Figure): number => {
  const wanted = Number(/[\d.]+/.exec(target)?.[0])
  return target.startsWith("at most") ? wanted / ratio : ratio / wanted
}

function drawn(all: readonly Figure[]): string {
  const height = ROW * all.length + 40
  const bars = all.map((figure, n) => {
    const width = Math.min(2, reached(figure)) * SCALE
    const y = 30 + n * ROW
    const colour = figure.isMet ? "#1a7f4b" : "#b3541e"
    return `<text x="${LEFT - 8}" y="${y + 13}" text-anchor="end">${figure.path.replaceAll("`", "")}</text>
<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="18" fill="${colour}"/>
<text x="${LEFT + width + 6}" y="${y + 13}">${rounded(figure.ratio)} ×</text>`
  })
  const line = LEFT + SCALE
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + 2 * SCALE + 80}" height="${height}" font-family="sans-serif" font-size="13" role="img" aria-label="How far each figure is from its target">
<rect width="100%" height="100%" fill="#fff"/>
${bars.join("\n")}
<path d="M${line} 20V${height - 5}" stroke="#333" stroke-dasharray="4 3"/>
<text x="${line}" y="14" text-anchor="middle">target</text>
</svg>
`
}

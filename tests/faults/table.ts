// npm run faults:table: what all runs together have shown, from their results into docs/reliability.md.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { FAULTS, type Outcome } from "./rig/run.ts"

const RESULTS = join(import.meta.dirname, "results.jsonl")
const PAGE = join(import.meta.dirname, "../../docs/reliability.md")
const [BEGIN, END] = ["<!-- faults -->", "<!-- /faults -->"]

const outcomes = readFileSync(RESULTS, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Outcome & { readonly commit: string; readonly at: string })
const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((all, one) => all + of(one), 0)
const kinds = [
  ...new Map([...FAULTS, { id: "F22", name: "two or three at once" }].map(({ id, name }) => [id, name])),
].sort()
const injected = (id: string) => sum(({ faults }) => faults[id] ?? 0)
// F22 counts occasions; the faults of each are counted under their own names.
const all = kinds.reduce((total, [id]) => total + (id === "F22" ? 0 : injected(id)), 0)
const calls = sum((one) => one.calls)
const givenUp = sum((one) => one.given_up)
const percent = calls === 0 ? 0 : Math.floor((1 - givenUp / calls) * 1e5) / 1e3

const figures: readonly (readonly [string, string | number])[] = [
  [
    "seeds",
    `${outcomes.length} (${outcomes[0]?.at.slice(0, 10)} to ${outcomes.at(-1)?.at.slice(0, 10)}, commits ${outcomes[0]?.commit} to ${outcomes.at(-1)?.commit})`,
  ],
  ["injected faults", all],
  ["of them primaries killed, and a standby promoted", injected("F03") + injected("F06")],
  ["**breaches of I1 to I13**", `**${sum((one) => one.breaches.length)}**`],
  ["requests made, and signed", `${sum((one) => one.stories)}, ${sum((one) => one.signed)}`],
  ["callbacks, and mails", `${sum((one) => one.callbacks)}, ${sum((one) => one.mails)}`],
  [
    "calls of clients, and those without a good answer within 30 s",
    `${calls}, ${givenUp}: ${percent} % succeed`,
  ],
  ["hours", Math.round(sum((one) => one.seconds) / 360) / 10],
]
const lines = [
  "| what | how many |",
  "| --- | --- |",
  ...figures.map(([what, count]) => `| ${what} | ${count} |`),
  "",
  "| fault | | how often |",
  "| --- | --- | --- |",
  ...kinds.map(([id, name]) => `| ${id} | ${name} | ${injected(id)} |`),
]
const page = readFileSync(PAGE, "utf8")
const [before, after] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))]
writeFileSync(PAGE, `${before}${BEGIN}\n\n${lines.join("\n")}\n\n${after}`)

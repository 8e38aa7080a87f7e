import { isUuid } from "@paraph/core/uuid"
import { makeDirectory, openDirectory } from "@paraph/store/directory/directory"
import { environment } from "../environment.ts"
import { NotUnderstood } from "../not-understood.ts"
import { print } from "../printed.ts"
import { textOf, typed, type Values } from "../synopsis.ts"
import { CELLS_ACTS } from "./acts.ts"
import { cancel, countIn, move } from "./move.ts"
import { cellsIn, directoryUrlIn } from "./open-cells.ts"

/** `paraph cells`: the directory of a region, and businesses that move (ADR 0066). */
export async function cells(words: readonly string[]): Promise<number> {
  const [name = "", ...rest] = words
  const act = Object.hasOwn(CELLS_ACTS, name) ? CELLS_ACTS[name] : undefined
  if (act === undefined) throw new NotUnderstood(`paraph cells: ${Object.keys(CELLS_ACTS).join(", ")}`)
  const { values } = typed(act.usage, rest)
  const asJson = values.json === true
  if (name === "init") {
    await makeDirectory(directoryUrlIn(environment()))
    print({ value: { made: true }, words: "The directory is there." }, asJson)
    return 0
  }
  if (name === "status") return status(asJson)
  if (name === "cancel") {
    const cell = await cancel(environment(), businessIn(values))
    print({ value: { cell }, words: `It goes on in ${cell}.` }, asJson)
    return 0
  }
  const asked = {
    business: businessIn(values),
    to: textOf(values, "to") ?? "",
    patienceMs: secondsIn(values, "patience", 120) * 1000,
    graceMs: secondsIn(values, "grace", 30) * 1000,
  }
  const moved = await move(environment(), asked, (step) => process.stderr.write(`${step}\n`))
  const { rows, jobs, objects, bytes, stoodMs } = moved
  const said = `Moved: ${rows} rows, ${jobs} jobs, ${objects} objects of ${bytes} bytes; nobody could act for ${stoodMs} ms.`
  print({ value: moved, words: said }, asJson)
  return 0
}

/** The directory beside what the cells say; a business that no call has named yet is in no directory, and that is well. */
async function status(asJson: boolean): Promise<number> {
  const places = cellsIn(environment())
  const directory = openDirectory(directoryUrlIn(environment()))
  const [listed, counted] = await Promise.all([directory.list(), Promise.all(places.map(countIn))])
  await directory.close()
  const homes = counted.flatMap(({ cell, businesses }) =>
    businesses.map(({ id, leaving }) => ({ id, cell, leaving })),
  )
  const doubts = [
    ...counted.filter(({ answers }) => !answers).map(({ cell }) => `${cell} does not answer`),
    ...homes
      .filter(({ id }, index) => homes.findIndex((one) => one.id === id) !== index)
      .map(({ id }) => `${id} is in two cells`),
    ...listed
      .filter(
        ({ business, cell }) =>
          homes.some(({ id }) => id === business) &&
          !homes.some((one) => one.id === business && one.cell === cell),
      )
      .map(({ business, cell }) => `${business} is not in ${cell}, as the directory has it`),
    ...homes
      .filter(({ leaving }) => leaving !== null)
      .map(({ id, cell, leaving }) => `${id} is ${leaving} in ${cell}`),
  ]
  const value = {
    cells: counted.map(({ cell, answers, businesses }) => ({ cell, answers, businesses: businesses.length })),
    directory: listed,
    doubts,
  }
  const lines = counted.map(
    ({ cell, answers, businesses }) =>
      `${cell}: ${answers ? `${businesses.length} businesses` : "does not answer"}`,
  )
  print({ value, words: [...lines, `${listed.length} in the directory.`, ...doubts].join("\n") }, asJson)
  return doubts.length === 0 ? 0 : 1
}

function businessIn(values: Values): string {
  const business = textOf(values, "business") ?? ""
  if (!isUuid(business)) throw new NotUnderstood("--business is the id of a business.")
  return business.toLowerCase()
}

function secondsIn(values: Values, name: string, usual: number): number {
  const text = textOf(values, name)
  if (text === undefined) return usual
  if (!/^\d{1,5}$/.test(text)) throw new NotUnderstood(`--${name} is a number of seconds.`)
  return Number(text)
}

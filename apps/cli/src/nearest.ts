/** What somebody may have meant who typed a name that there is none of; null where nothing is near. */
export function nearest(typed: string, names: readonly string[]): string | null {
  const [best] = names
    .map((name) => ({ name, steps: stepsBetween(typed, name) }))
    .filter(({ name, steps }) => steps <= 2 && steps < name.length / 2)
    .toSorted((a, b) => a.steps - b.steps)
  return best?.name ?? null
}

/** How many letters have to be added, left out, changed or exchanged with the next one. */
function stepsBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    rows[row] = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isTurned = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const ways = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
      ]
      if (isTurned) ways.push(at(row - 2, column - 2) + 1)
      rows[row]?.push(Math.min(...ways))
    }
  }
  return at(from.length, to.length)
}

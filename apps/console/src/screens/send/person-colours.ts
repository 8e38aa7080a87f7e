/** Dark enough for words on white paper, and told apart by those who see red and green alike. */
const COLOURS = ["#1d3a86", "#9a4a00", "#00606b", "#7a1f6b", "#5a5200", "#a3261f"] as const

/** In the dark a line around it: the colours are those of the paper. */
export const DOT = "dark:ring-1 dark:ring-(--edge)"

export const colourOf = (index: number): string => COLOURS[index % COLOURS.length] ?? COLOURS[0]

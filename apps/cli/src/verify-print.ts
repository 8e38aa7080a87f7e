import type { Told, ToldPart } from "@paraph/verifying/say"

/** What was found, as lines for a terminal. */
export function written({ headline, checkedFor, parts, notes }: Told): string {
  const blocks = parts.map((part) => linesOf(part, "").join("\n"))
  return [[headline, checkedFor].join("\n"), ...blocks, ...notes].join("\n\n")
}

function linesOf(
  { title, standingText, sentences, rows, parts, events }: ToldPart,
  indent: string,
): string[] {
  const inner = `${indent}  `
  return [
    `${indent}${title}: ${standingText}`,
    ...sentences.map((sentence) => `${inner}${sentence}`),
    ...rows.map(({ label, text }) => `${inner}${label}: ${text}`),
    ...parts.flatMap((part) => linesOf(part, inner)),
    ...(events === null ? [] : [`${inner}${events.title}:`]),
    ...(events?.rows ?? []).map(([number, time, event, details]) =>
      `${inner}  ${number}. ${time}  ${event}${details === "" ? "" : `  (${details})`}`.trimEnd(),
    ),
  ]
}

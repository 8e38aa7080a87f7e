/**
 * The rows of the chart's README, from what stands in values.yaml after "# -- ", as helm-docs has it: the comment is about the line
 * that follows. A value of several lines is told by its first ones being below.
 */
export function valuesTable(values: string): string {
  const rows: string[] = []
  const path: { readonly indent: number; readonly key: string }[] = []
  let about = ""
  for (const line of values.split("\n")) {
    const told = /^\s*# -- (.*)$/.exec(line)
    if (told?.[1] !== undefined) {
      about = told[1]
      continue
    }
    const found = /^(\s*)([\w./-]+):(?: (.*))?$/.exec(line)
    if (found === null) continue
    const [, indent = "", key = "", value = ""] = found
    while ((path.at(-1)?.indent ?? -1) >= indent.length) path.pop()
    path.push({ indent: indent.length, key })
    const name = path.map((step) => step.key).join(".")
    if (about !== "")
      rows.push(`| \`${name}\` | ${value === "" ? "see values.yaml" : `\`${value}\``} | ${about} |`)
    about = ""
  }
  return ["| value | default | what it is |", "|---|---|---|", ...rows].join("\n")
}

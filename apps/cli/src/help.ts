import { actsOf, COMMANDS, type Command, commandOf, ROOMS } from "./commands.ts"
import { type Described, optionsIn } from "./synopsis.ts"

/** The first page: one line for each command. */
export function usage(): string {
  const rooms = Object.entries(ROOMS).map(([room, title]) => {
    const lines = Object.entries<Command>(COMMANDS)
      .filter(([, command]) => command.room === room)
      .map(
        ([name, command]) =>
          `  ${`paraph ${name}${"acts" in command && command.usage === "" ? " ACT" : ""}`.padEnd(22)}${command.about}`,
      )
    return `${title}:\n${lines.join("\n")}`
  })
  return `paraph: an electronic signature service that you run yourself

${rooms.join("\n\n")}

paraph help COMMAND says more of each.`
}

/** All of it, as the README has it. */
export async function wholeHelp(): Promise<string> {
  const parts: string[] = []
  for (const name of Object.keys(COMMANDS))
    parts.push(`### paraph ${name}\n\n\`\`\`text\n${await helpFor(name)}\n\`\`\`\n`)
  return parts.join("\n")
}

/** What is said of a command, or of one of its acts; null where there is none of that name. */
export async function helpFor(name: string, actName?: string): Promise<string | null> {
  const command = commandOf(name)
  if (command === undefined) return null
  const acts = await actsOf(command)
  const act = actName !== undefined && Object.hasOwn(acts, actName) ? acts[actName] : undefined
  if (act !== undefined) return helpOf(`paraph ${name} ${actName}`, act)
  const itself =
    command.acts === undefined || command.usage !== ""
      ? [helpOf(`paraph ${name}`, { ...command, notes: "" })]
      : []
  const each = Object.entries(acts).map(([act, described]) => helpOf(`paraph ${name} ${act}`, described))
  const notes = command.notes === undefined ? [] : [`\n${command.notes}`]
  return [...itself, ...each, ...notes].join("\n")
}

function helpOf(typed: string, { usage, about, options = {}, notes = "" }: Described): string {
  const named = optionsIn(usage).filter(({ name }) => name in options)
  const column = Math.max(0, ...named.map(({ name, value }) => `--${name} ${value ?? ""}`.length)) + 2
  return [
    `  ${typed} ${usage}`.trimEnd(),
    `      ${about}`,
    ...named.map(({ name, value }) => `      ${`--${name} ${value ?? ""}`.padEnd(column)}${options[name]}`),
    ...(notes === "" ? [] : ["", notes]),
  ].join("\n")
}

import { existsSync, globSync, rmSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { FOLDER, fileOf } from "./album.ts"
import { JOURNEYS, type Journey } from "./journeys.ts"

/** Vitest's global set-up, of which only the end is needed: by then every picture has been taken. */
export const setup = (): void => undefined

/** docs/screens/README.md, from what is there. A picture that no journey names any more is taken away. */
export function teardown(): void {
  const named = new Set(JOURNEYS.flatMap(({ area, screens }) => filesOf(area, screens)))
  for (const file of globSync("*/*.webp", { cwd: FOLDER }))
    if (!named.has(file)) rmSync(resolve(FOLDER, file))
  const missing = [...named].filter((file) => !existsSync(resolve(FOLDER, file)))
  writeFileSync(resolve(FOLDER, "README.md"), `${[HEAD, ...JOURNEYS.map(chapter)].join("\n\n")}\n`)
  if (missing.length > 0) throw new Error(`There is no picture of ${missing.join(", ")}.`)
}

const HEAD = `# Screens

Written by \`npm run screens\`, which starts the service, walks through it and takes these pictures. Do not edit.
Names and addresses in them are examples.`

const filesOf = (area: string, screens: Journey["screens"]) =>
  Object.entries(screens).flatMap(([name, { dark }]) => [
    fileOf(area, name, "desktop"),
    fileOf(area, name, "phone"),
    ...(dark ? [fileOf(area, name, "phone-dark")] : []),
  ])

const chapter = ({ area, title, screens }: (typeof JOURNEYS)[number]): string =>
  [
    `## ${title}`,
    ...Object.entries(screens).map(([name, { says, dark }]) => {
      const picture = (shot: "desktop" | "phone" | "phone-dark", how: string, height: number) =>
        `<img src="${fileOf(area, name, shot)}" height="${height}" alt="${says} ${how}">`
      const shots = [
        picture("desktop", "On a desktop.", HEIGHT),
        picture("phone", "On a phone.", HEIGHT),
        ...(dark ? [picture("phone-dark", "On a phone, in the dark.", HEIGHT)] : []),
      ]
      return `**${name}.** ${says}\n\n${shots.join("\n")}`
    }),
  ].join("\n\n")

const HEIGHT = 300

import { execFileSync } from "node:child_process"
import { neededByImage, ROOT } from "./needed.ts"

type Licence = {
  readonly license?: { readonly id?: string; readonly name?: string }
  readonly expression?: string
}
export type Part = {
  readonly "bom-ref": string
  readonly name: string
  readonly version: string
  readonly licenses?: readonly Licence[]
}
export type PartsList = {
  readonly metadata: {
    readonly component: { readonly "bom-ref": string; readonly name: string; readonly type: string }
  }
  readonly components: readonly Part[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/**
 * What the image has from npm (CycloneDX). npm itself makes the list, of all that is installed; with `--omit dev` it would leave out
 * what a tool needs as well, so what the image needs is found here.
 */
export function partsOfImage(): PartsList {
  const said = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 64_000_000,
    stdio: ["ignore", "pipe", "ignore"],
  })
  const list: PartsList = JSON.parse(said)
  const needed = neededByImage()
  const kept = new Set(list.components.map((part) => part["bom-ref"]).filter((ref) => needed.has(ref)))
  const whole = list.metadata.component["bom-ref"]
  return {
    ...list,
    // npm takes the name of the folder that it stands in.
    metadata: {
      ...list.metadata,
      component: { ...list.metadata.component, type: "application", name: "paraph" },
    },
    components: list.components.filter((part) => kept.has(part["bom-ref"])),
    dependencies: [
      { ref: whole, dependsOn: [...kept] },
      ...list.dependencies.flatMap(({ ref, dependsOn }) =>
        kept.has(ref) ? { ref, dependsOn: dependsOn.filter((each) => kept.has(each)) } : [],
      ),
    ],
  }
}

/** Licences that ask for nothing but their text beside the program. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
])

/** libvips is loaded as a library of its own, unchanged, which the LGPL allows; whoever wants another may put it there. */
const LIBRARIES = /^@img\/sharp-libvips-/

export function refused(parts: readonly Omit<Part, "bom-ref">[]): readonly string[] {
  return parts.flatMap(({ name, version, licenses = [] }) => {
    const said = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? "")
    if (said.length > 0 && said.every(isAllowed)) return []
    if (LIBRARIES.test(name) && said.join() === "LGPL-3.0-or-later") return []
    return [`${name} ${version}: ${said.join(", ") || "no licence"}`]
  })
}

/** "A OR B" lets us choose; of "A AND B" both count. */
function isAllowed(expression: string): boolean {
  return expression
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((one) => ALLOWED.has(one.trim())))
}

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"

const ROOT = resolve(import.meta.dirname, "../..")
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")

type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly hasInstallScript?: boolean
}

/** Everything from elsewhere that npm would install, by its place. */
const LOCKED = Object.entries<Locked>(JSON.parse(read("package-lock.json")).packages).filter(
  ([place, { link }]) => place.includes("node_modules/") && link !== true,
)
const nameOf = (place: string) => place.split("node_modules/").at(-1) ?? ""
const NPMRC = read(".npmrc").split("\n")

it("[R43] no package runs a script when it is installed but those that were looked at, and of them one alone", () => {
  // Without this npm only warns, and runs them all.
  expect(NPMRC).toContain("strict-allow-scripts=true")
  expect(NPMRC.filter((line) => /dangerously|ignore-scripts=false/.test(line))).toEqual([])
  const { allowScripts } = JSON.parse(read("package.json")) as { allowScripts: Record<string, boolean> }
  const running = LOCKED.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  expect([...new Set(running.map(([place]) => nameOf(place)))].sort()).toEqual(Object.keys(allowScripts))
  // Bindings to PKCS#11, which are compiled on the machine that they run on.
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(["pkcs11js"])
})

/** What the service and its image are made for. Of others a registry may lack what would be needed to write digests down. */
const isOurs = ({ os = ["linux"], cpu = ["x64"] }: Locked) =>
  os.includes("linux") && (cpu.includes("x64") || cpu.includes("arm64"))

it("[R43] every package that Linux on x64 or ARM could load is named with the digest of its bytes", () => {
  expect(LOCKED.filter(([, locked]) => isOurs(locked)).length).toBeGreaterThan(500)
  const without = LOCKED.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-"))
  expect(without.filter(([, locked]) => isOurs(locked) || locked.optional !== true)).toEqual([])
})

it("[R43] each dependency that is written down is one version, and not a range of them", () => {
  const manifests = execFileSync("git", ["ls-files", "package.json", "*/package.json"], {
    cwd: ROOT,
    encoding: "utf8",
  })
  const paths = manifests.trim().split("\n")
  expect(paths.length).toBeGreaterThan(10)
  for (const path of paths) {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = JSON.parse(read(path))
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    }))
      expect([path, name, version]).toEqual([path, name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)])
  }
})

it("[R43] a release checks the registry's signatures, lists its parts, and signs what it publishes", () => {
  const release = read(".github/workflows/release.yml")
  for (const step of ["npm audit signatures", "npm run -s sbom", "cosign sign --yes", "cosign attest --yes"])
    expect(release).toContain(step)
  expect(release).toContain("provenance: mode=max")
})

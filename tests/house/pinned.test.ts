import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"

const ROOT = resolve(import.meta.dirname, "../..")
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")
const WORKFLOWS = readdirSync(join(ROOT, ".github/workflows")).map((name) => `.github/workflows/${name}`)

it("[B15] workflows name each action by the commit of its release, and the release beside it", () => {
  const used = WORKFLOWS.flatMap((path) =>
    [...read(path).matchAll(/^\s*(?:- )?uses: *(.*)$/gm)].map(([, action]) => `${path}: ${action}`),
  )
  expect(used.length).toBeGreaterThan(15)
  for (const one of used) expect(one).toMatch(/: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

it("[B15] one release of an action has one commit", () => {
  const commits = new Map<string, Set<string>>()
  for (const [, action = "", commit = "", release = ""] of WORKFLOWS.flatMap((path) => [
    ...read(path).matchAll(/uses: *([\w/-]+)@([0-9a-f]{40}) # (\S+)/g),
  ])) {
    const known = commits.get(`${action} ${release}`) ?? new Set()
    commits.set(`${action} ${release}`, known.add(commit))
  }
  for (const [release, found] of commits) expect([release, found.size]).toEqual([release, 1])
})

/**
 * Images of others that are named by a tag. Their digests are to be read from their registries (`docker buildx imagetools inspect`),
 * which could not be reached when this list was written. It may shrink, and no image may be added.
 */
const BY_TAG = [
  "clamav/clamav:1.4",
  "gcr.io/distroless/cc-debian12:nonroot",
  "node:24.21.0-bookworm",
  "node:24.21.0-bookworm-slim",
  "postgres:18",
  "rust:1.95.0-slim-bookworm",
  "versity/versitygw:v1.7.0",
]

it("[B15] images of others are named by digest, but for those of a list", () => {
  const files = execFileSync("git", ["ls-files", "Dockerfile", "compose.yaml", "deploy"], {
    cwd: ROOT,
    encoding: "utf8",
  })
  const named = files
    .trim()
    .split("\n")
    .filter((path) => /Dockerfile$|\.yaml$/.test(path) && !path.includes("/templates/"))
    .flatMap((path) =>
      [...read(path).matchAll(/^(?:FROM|\s*image:) +([\w./-]+:[\w.-]+(?:@sha256:[0-9a-f]{64})?)/gm)].map(
        ([, image = ""]) => image,
      ),
    )
    // An example of a name that every operator replaces.
    .filter((image) => !image.startsWith("registry.example.org/"))
  const byTag = new Set(named.filter((image) => !image.includes("@sha256:")))
  expect([...byTag].sort()).toEqual(BY_TAG)
})

/** For other systems than Linux on x64 or ARM: the registry that this lock file was made with does not serve these. */
const WITHOUT_INTEGRITY = [
  ...["android-arm64", "android-x64", "darwin-arm64", "darwin-x64", "win32-arm64", "win32-x64"].map(
    (system) => `node_modules/@biomejs/cli-${system}`,
  ),
  ...[
    ...["android-arm64", "darwin-arm64", "darwin-x64", "freebsd-x64", "linux-arm-gnueabihf", "wasm32-wasi"],
    ...["win32-arm64-msvc", "win32-x64-msvc"],
  ].map((system) => `node_modules/@tailwindcss/oxide-${system}`),
]

it("[B15] every entry of the lock file has a digest, but for those of a list, which are optional", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { integrity?: string; link?: boolean; optional?: boolean }>
  }
  const without = Object.entries(packages).filter(
    ([place, { integrity = "", link }]) =>
      place.includes("node_modules/") && link !== true && !integrity.startsWith("sha512-"),
  )
  expect(without.map(([place]) => place).sort()).toEqual([...WITHOUT_INTEGRITY].sort())
  for (const [place, { optional }] of without) expect([place, optional]).toEqual([place, true])
})

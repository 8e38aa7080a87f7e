import { execFile } from "node:child_process"
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { type Block, ROOT } from "../service/papers.ts"

/** Where a reader sits: a folder with some PDFs, a shell that keeps its variables from block to block. */
export type Desk = {
  readonly folder: string
  readonly run: (block: Block) => Promise<string>
}

/** What a page calls by a name of its own, and what it is here. */
export type Replacements = readonly (readonly [string, string])[]

const CLI = join(ROOT, "apps/cli/src/main.ts")
const SDK = pathToFileURL(join(ROOT, "packages/sdk/src/index.ts")).href

export function sitDown(env: Readonly<Record<string, string>>, replaced: Replacements): Desk {
  const folder = mkdtempSync(join(tmpdir(), "paraph-desk-"))
  mkdirSync(join(folder, "bin"))
  mkdirSync(join(folder, "docs"))
  for (const file of ["docs/example.pdf", "example.pdf", "lease.pdf", "invoice.pdf", "contract.pdf"])
    copyFileSync(join(ROOT, "docs/example.pdf"), join(folder, file))
  const signed = join(env.HOME ?? folder, "signed.pdf")
  if (existsSync(signed)) copyFileSync(signed, join(folder, "signed.pdf"))
  program(folder, "paraph", `exec "${process.execPath}" "${CLI}" "$@"`)
  program(folder, "npx", 'command -v "$1" >/dev/null || exit 127; exec "$@"')
  // What is refused is a fault of the page.
  program(folder, "curl", 'exec /usr/bin/curl --silent --show-error --fail-with-body "$@"')
  const PATH = `${join(folder, "bin")}:${process.env.PATH}`
  const options = { cwd: folder, env: { PATH, HOME: folder, ...env }, maxBuffer: 1 << 26, timeout: 240_000 }
  let count = 0
  return {
    folder,
    run: async ({ language, text, meta }) => {
      count += 1
      const here = replaced.reduce((so, [from, to]) => so.replaceAll(from, to), text)
      const file = join(folder, `block-${count}.${language === "js" ? "mjs" : language}`)
      writeFileSync(
        file,
        language === "sh" ? SHELL.replace("BLOCK", () => here) : here.replaceAll('"@paraph/sdk"', `"${SDK}"`),
      )
      const command = { sh: "bash", py: "python3" }[language] ?? process.execPath
      const { code, said } = await ended(promisify(execFile)(command, [file], options))
      const [, expected = "0"] = /^exit=(\d)$/.exec(meta) ?? []
      if (String(code) !== expected) throw new Error(`It ended with ${code}, not ${expected}.\n${said}`)
      return said
    },
  }
}

type Ended = { readonly code: unknown; readonly said: string }

/** The code with which it ended, and all that it said; a page says on the fence where another one than 0 is right. */
const ended = (running: Promise<{ stdout: string; stderr: string }>): Promise<Ended> =>
  running.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
  )

/** Variables live on in the next block of the page. */
const SHELL = `set -eo pipefail
set -a
if [ -f .variables ]; then . ./.variables; fi
BLOCK
export -p | grep -vE '^declare -x (PATH|HOME|PWD|OLDPWD|SHLVL)=' > .variables || true
`

function program(folder: string, name: string, line: string): void {
  const file = join(folder, "bin", name)
  writeFileSync(file, `#!/bin/bash\n${line}\n`)
  chmodSync(file, 0o755)
}

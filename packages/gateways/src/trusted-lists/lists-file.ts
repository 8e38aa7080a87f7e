// TRUSTED_LISTS_FILE: which trusted lists count, and who signs them. Every fault is told at once.

import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { certificatesInPem } from "@paraph/pki/pem"
import type { ListSource } from "@paraph/validation/load-trusted-lists"

export type ListsFile = {
  readonly sources: readonly ListSource[]
  /** Copies that lie beside the file, by the address of the list: enough where nothing is fetched. */
  readonly copies: ReadonlyMap<string, Uint8Array>
  readonly faults: readonly string[]
}

type Row = Readonly<Record<string, unknown>>

/** Files that a row names are looked for beside the file itself, unless their path begins at the root. */
export function readListsFile(path: string): ListsFile {
  const faults: string[] = []
  const copies = new Map<string, Uint8Array>()
  const at = (file: string) => resolve(dirname(path), file)
  const sources = rowsOf(path, faults).flatMap((row, index) => {
    const found: string[] = []
    const source = readRow(row, at, found)
    if (typeof row.copyFile === "string")
      copies.set(
        source.address,
        readOr(() => readFileSync(at(String(row.copyFile))), found),
      )
    faults.push(...found.map((fault) => `${path}, list number ${index + 1}: ${fault}`))
    return found.length > 0 ? [] : [source]
  })
  return { sources, copies, faults }
}

function rowsOf(path: string, faults: string[]): readonly Row[] {
  try {
    const rows: unknown = JSON.parse(readFileSync(path, "utf8"))
    const isRow = (row: unknown) => typeof row === "object" && row !== null && !Array.isArray(row)
    if (Array.isArray(rows) && rows.every(isRow)) return rows
    faults.push(`${path}: must be a list of objects.`)
  } catch (error) {
    faults.push(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return []
}

const FIELDS = ["law", "form", "address", "signersFile", "copyFile"]

function readRow(row: Row, at: (file: string) => string, faults: string[]): ListSource {
  for (const name of Object.keys(row))
    if (!FIELDS.includes(name)) faults.push(`${name} is not a setting of a list.`)
  const { law, form, address, signersFile, copyFile } = row
  if (law !== "EU" && law !== "CH") faults.push("law must be EU or CH.")
  if (form !== "list-of-lists" && form !== "list") faults.push("form must be list-of-lists or list.")
  if (typeof address !== "string" || !/^https?:$/.test(URL.parse(address)?.protocol ?? ""))
    faults.push("address must be an address with https or http.")
  if (typeof signersFile !== "string" || signersFile === "") faults.push("signersFile must be given.")
  if (copyFile !== undefined && typeof copyFile !== "string") faults.push("copyFile must be a text.")
  const signers =
    typeof signersFile === "string" && signersFile !== ""
      ? readOr(() => certificatesInPem(readFileSync(at(signersFile), "utf8")), faults)
      : []
  if (faults.length === 0 && signers.length === 0) faults.push(`${signersFile} holds no certificate.`)
  return {
    law: law === "CH" ? "CH" : "EU",
    form: form === "list" ? "list" : "list-of-lists",
    address: typeof address === "string" ? address : "",
    signers: [...signers] as Uint8Array[],
  }
}

function readOr<T extends Uint8Array | readonly Uint8Array[]>(read: () => T, faults: string[]): T {
  try {
    return read()
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
    return new Uint8Array() as unknown as T
  }
}

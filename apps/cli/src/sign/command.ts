import { existsSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { readName } from "@paraph/core/names/read-name"
import { OutboundFailed } from "@paraph/gateways/outbound-failed"
import { PdfRefused } from "@paraph/pades/refused"
import { TimestampRefused } from "@paraph/pades/timestamp"
import { DerError } from "@paraph/pki/der"
import { ValidationDataFailed } from "@paraph/pki/validation-data-failed"
import { TrustNotUnderstood, trustedCertificates } from "@paraph/verifying/take-in"
import { COMMANDS } from "../commands.ts"
import { Failed } from "../failed.ts"
import { NotUnderstood } from "../not-understood.ts"
import { print } from "../printed.ts"
import { textOf, textsOf, typed, type Values } from "../synopsis.ts"
import { LEVELS, type Level, type Order, signFile } from "./sign-file.ts"
import { keyInFile, keyInToken, type SigningKey } from "./signing-key.ts"

/** `paraph sign`: without a service, by a key of one's own. */
export async function sign(words: readonly string[], now: () => Date = () => new Date()): Promise<number> {
  const { values, positionals } = typed(COMMANDS.sign.usage, words)
  const order = orderOf(values, positionals, now)
  const key = await keyOf(values)
  try {
    const { signer, at, field, algorithm } = await signFile(key, order).catch(inWords)
    const { output, level } = order
    print(
      {
        value: { file: output, level, signer, at, field, algorithm },
        words: `${output}: signed by ${signer} at ${at.toISOString()}, ${level}.`,
      },
      values.json === true,
    )
    return 0
  } finally {
    await key.close()
  }
}

function orderOf(values: Values, positionals: readonly string[], now: () => Date): Order {
  const [file] = positionals
  if (file === undefined || positionals.length > 1)
    throw new NotUnderstood("paraph sign: which file? One at a time.")
  if (!existsSync(file)) throw new NotUnderstood(`${file} cannot be read.`)
  const level = levelOf(textOf(values, "level"))
  const output = textOf(values, "output") ?? `${file.replace(/\.pdf$/i, "")}.signed.pdf`
  if (existsSync(output)) throw new NotUnderstood(`${output} is there already, and is not overwritten.`)
  const anchors = textsOf(values, "trust").flatMap(anchorsIn)
  const [name, tsa] = [textOf(values, "name"), textOf(values, "tsa")]
  if (level === "B-B" && tsa !== undefined) throw new NotUnderstood("--tsa is for --level B-T and above.")
  if (level !== "B-B" && (tsa === undefined || !URL.canParse(tsa)))
    throw new NotUnderstood(`--level ${level} needs --tsa, the address of a time-stamping authority.`)
  if (level !== "B-B" && anchors.length === 0)
    throw new NotUnderstood(
      `--level ${level} needs --trust: a stamp of somebody whom nobody trusts proves nothing.`,
    )
  return {
    ...{ file, output, level, anchors, now, tsa: tsa ?? null, allowedHosts: textsOf(values, "allow-host") },
    ...{
      name: name === undefined ? undefined : readName("--name", name),
      reason: textOf(values, "reason"),
      location: textOf(values, "location"),
    },
  }
}

function keyOf(values: Values): Promise<SigningKey> {
  const file = textOf(values, "key")
  const [module, token, label, certificates] = ["pkcs11", "token", "key-label", "certificate"].map((name) =>
    textOf(values, name),
  )
  if ((file === undefined) === (module === undefined))
    throw new NotUnderstood("Either --key FILE.p12 or --pkcs11 MODULE is needed.")
  if (file !== undefined) return keyInFile(file)
  if (!(module && token && label && certificates))
    throw new NotUnderstood("--pkcs11 needs --token, --key-label and --certificate.")
  return keyInToken({ module, token, label, certificates })
}

function levelOf(told = "B-B"): Level {
  const found = LEVELS.find((one) => one === told)
  if (found === undefined) throw new NotUnderstood(`--level is one of ${LEVELS.join(", ")}.`)
  return found
}

function anchorsIn(path: string): readonly Uint8Array[] {
  try {
    const bytes = new Uint8Array(readFileSync(path))
    return trustedCertificates({ name: basename(path), bytes, size: bytes.length }).map(({ der }) => der)
  } catch (error) {
    if (error instanceof TrustNotUnderstood) throw new NotUnderstood(error.message)
    throw new NotUnderstood(`${path} cannot be read.`)
  }
}

const SPOKEN = [PdfRefused, TimestampRefused, OutboundFailed, ValidationDataFailed, DerError]

/** What a document, an authority or a certificate did wrong is said in a sentence; what we did, with its stack. */
function inWords(error: unknown): never {
  if (error instanceof Error && SPOKEN.some((kind) => error instanceof kind))
    throw new Failed(`Nothing was signed: ${error.message}`, { cause: error })
  // A folder that is not there, a disk that is full.
  if (error instanceof Error && "syscall" in error)
    throw new Failed(`Nothing was signed: ${error.message}.`, { cause: error })
  throw error
}

// Reading what a provider says: a value is of the kind that was asked for and within its limit, or the answer is invalid.
// CSC API 2.0, 7.1: a `null` is an absent parameter.

import { invalid } from "./failed.ts"

export type Json = Readonly<Record<string, unknown>>

export function readJson(body: Uint8Array): Json {
  try {
    return readObject(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)), "the answer")
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof TypeError ? invalid("not JSON") : error
  }
}

export function readObject(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`${what} is no object`)
  return value as Json
}

/** What stands under the name, and never something that every object has. */
export function member(of: Json, name: string): unknown {
  return Object.hasOwn(of, name) ? (of[name] ?? undefined) : undefined
}

export function optionalText(of: Json, name: string, maxLength: number): string | undefined {
  const value = member(of, name)
  if (value === undefined) return undefined
  if (typeof value !== "string" || value.length > maxLength)
    throw invalid(`${name} is no text, or a long one`)
  return value
}

export function text(of: Json, name: string, maxLength: number): string {
  const value = optionalText(of, name, maxLength)
  if (value === undefined || value === "") throw invalid(`${name} is missing`)
  return value
}

export function optionalInteger(of: Json, name: string, max: number): number | undefined {
  const value = member(of, name)
  if (value === undefined) return undefined
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw invalid(`${name} is no number`)
  return Math.min(value as number, max)
}

export function optionalList(of: Json, name: string, maxItems: number): readonly unknown[] | undefined {
  const value = member(of, name)
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length > maxItems) throw invalid(`${name} is no list, or a long one`)
  return value
}

export function texts(of: Json, name: string, maxItems: number, maxLength: number): readonly string[] {
  return (optionalList(of, name, maxItems) ?? []).map((value) => {
    if (typeof value !== "string" || value.length > maxLength) throw invalid(`${name} has no texts`)
    return value
  })
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function bytes(encoded: string, what: string): Uint8Array {
  if (encoded === "" || !BASE64.test(encoded)) throw invalid(`${what} is not base64`)
  return new Uint8Array(Buffer.from(encoded, "base64"))
}

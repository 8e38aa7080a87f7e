// Goes once over the operators of a content stream (ISO 32000-2, 7.8.2): whether each has the operands that it takes, which
// resources it names, and whether marked content is balanced. It draws nothing and keeps nothing but names.

import { type Cursor, isRegular, isWhite, looksAt, peek, skipWhite } from "../syntax/scan.ts"
import { skipInlineImage } from "./inline-image.ts"
import {
  CONTINUING_PATH,
  DEVICE_SPACES,
  ENDING_PATH,
  OPERAND,
  type OperandKind,
  PAINTING,
  RESOURCES,
  type ResourceCategory,
  UnclearContent,
  wrongOperands,
} from "./operators.ts"

export type ContentScan = {
  /** Why readers may show the content differently; undefined where none was found. */
  readonly problem: string | undefined
  /** Such as "Font F1". */
  readonly resources: ReadonlySet<string>
  /** Marked content is left open, or ended without a beginning. */
  readonly isUnbalanced: boolean
  /** Names of layers, as `/OC /Name BDC` has them. */
  readonly layers: ReadonlySet<string>
  /** `/OC` with a dictionary in the content, which the standard does not allow. */
  readonly hasInlineLayer: boolean
}

/** What the scan knows between two operators. */
type State = {
  readonly cursor: Cursor
  /** Where one stream of a page ends and the next begins. */
  readonly joints: readonly number[]
  /** The index of the first of them that the scan has not passed. */
  joint: number
  readonly resources: Set<string>
  readonly layers: Set<string>
  operands: string
  /** The place of the first operand, and of the last one. */
  first: number
  last: number
  /** The number that was read last. */
  value: number
  dash: Dash
  saved: number
  marked: number
  compatible: number
  hasPoint: boolean
  isUnbalanced: boolean
  isRestoredTooFar: boolean
  hasInlineLayer: boolean
}

type Dash = { readonly count: number; readonly sum: number; readonly hasNegative: boolean }

export function scanContent(bytes: Uint8Array, joints: readonly number[] = []): ContentScan {
  const state: State = {
    cursor: { bytes, at: 0, end: bytes.length },
    joints,
    joint: 0,
    resources: new Set(),
    layers: new Set(),
    operands: "",
    first: 0,
    last: 0,
    value: 0,
    dash: NO_DASH,
    saved: 0,
    marked: 0,
    compatible: 0,
    hasPoint: false,
    isUnbalanced: false,
    isRestoredTooFar: false,
    hasInlineLayer: false,
  }
  let problem: string | undefined
  try {
    scan(state)
  } catch (error) {
    if (!(error instanceof UnclearContent)) throw error
    problem = error.message
  }
  const { resources, layers, hasInlineLayer } = state
  const isUnbalanced = state.isUnbalanced || state.marked > 0
  return { problem, resources, layers, isUnbalanced, hasInlineLayer }
}

const NO_DASH: Dash = { count: 0, sum: 0, hasNegative: false }
const MAX_OPERANDS = 33

function scan(state: State): void {
  const { cursor } = state
  for (skipWhite(cursor); cursor.at < cursor.end; skipWhite(cursor)) {
    const start = cursor.at
    const kind = readOperand(state, 0)
    if (kind === undefined) applyOperator(state, readOperator(cursor, start))
    else {
      if (state.operands === "") state.first = start
      state.last = start
      state.operands += kind
      if (state.operands.length > MAX_OPERANDS)
        throw new UnclearContent("more operands than an operator takes")
    }
  }
}

const MAX_NESTING = 50

/** Undefined where an operator begins. */
function readOperand(state: State, depth: number): OperandKind | undefined {
  const { cursor } = state
  if (depth > MAX_NESTING) throw new UnclearContent("arrays that are nested too deeply")
  const octet = peek(cursor)
  switch (octet) {
    case 0x28:
      skipLiteral(state)
      return OPERAND.string
    case 0x3c:
      if (cursor.bytes[cursor.at + 1] === 0x3c) return readDictionary(state, depth)
      skipHexadecimal(state)
      return OPERAND.string
    case 0x2f:
      skipRegular(cursor)
      return OPERAND.name
    case 0x5b:
      return readArray(state, depth)
    case 0x29:
    case 0x3e:
    case 0x5d:
    case 0x7b:
    case 0x7d:
      throw new UnclearContent("a delimiter without its beginning")
  }
  if (octet !== undefined && ((octet >= 0x30 && octet <= 0x39) || (octet >= 0x2b && octet <= 0x2e))) {
    state.value = readNumber(cursor)
    return OPERAND.number
  }
  const word = octet === undefined ? undefined : VALUES.get(octet)
  if (word === undefined || !looksAt(cursor, word) || isRegular(cursor.bytes[cursor.at + word.length]))
    return undefined
  cursor.at += word.length
  return OPERAND.other
}

/** By their first letters. */
const VALUES: ReadonlyMap<number, string> = new Map([
  [0x74, "true"],
  [0x66, "false"],
  [0x6e, "null"],
])

function skipRegular(cursor: Cursor): void {
  cursor.at += 1
  while (isRegular(peek(cursor))) cursor.at += 1
}

const MAX_INTEGER = 2 ** 31

/** 7.3.3, and no larger than all readers can keep. Most of a page are numbers, so this is one loop. */
function readNumber(cursor: Cursor): number {
  const { bytes, end } = cursor
  let at = cursor.at
  const isNegative = bytes[at] === 0x2d
  if (isNegative || bytes[at] === 0x2b) at += 1
  let [digits, value, scale] = [0, 0, 0]
  for (; at < end; at++) {
    const octet = bytes[at] ?? 0
    if (octet >= 0x30 && octet <= 0x39) {
      digits += 1
      if (scale === 0) value = value * 10 + octet - 0x30
      else {
        value += (octet - 0x30) * scale
        scale /= 10
      }
    } else if (octet === 0x2e && scale === 0) scale = 0.1
    else break
  }
  if (digits === 0 || (at < end && isRegular(bytes[at]))) throw new UnclearContent("a malformed number")
  if (value >= MAX_INTEGER) throw new UnclearContent("a number that is too large")
  cursor.at = at
  return isNegative ? -value : value
}

/** 7.3.4.2. A string does not go on in the next stream, and an octal code is one octet. */
function skipLiteral(state: State): void {
  const { cursor, joints } = state
  const { bytes, at: start, end } = cursor
  let [at, open] = [start, 0]
  for (; at < end; at++) {
    const octet = bytes[at]
    if (octet === 0x5c) {
      at += 1
      if (isOctal(bytes[at], 0x34) && isOctal(bytes[at + 1]) && isOctal(bytes[at + 2]))
        throw new UnclearContent("an octal code that is no octet")
    } else if (octet === 0x28) open += 1
    else if (octet === 0x29) open -= 1
    if (open === 0) break
  }
  if (at >= end) throw new UnclearContent("a string without an end")
  cursor.at = at + 1
  while ((joints[state.joint] ?? end) <= start) state.joint += 1
  if ((joints[state.joint] ?? end) < at) throw new UnclearContent("a string that goes on in the next stream")
}

const isOctal = (octet: number | undefined, least = 0x30): boolean =>
  octet !== undefined && octet >= least && octet <= 0x37

function skipHexadecimal({ cursor }: State): void {
  for (cursor.at += 1; cursor.at < cursor.end; cursor.at++) {
    const octet = cursor.bytes[cursor.at] ?? 0
    if (octet === 0x3e) {
      cursor.at += 1
      return
    }
    const isDigit = (octet >= 0x30 && octet <= 0x39) || ((octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x66)
    if (!isDigit && !isWhite(octet)) break
  }
  throw new UnclearContent("a malformed hexadecimal string")
}

function readArray(state: State, depth: number): OperandKind {
  const { cursor } = state
  cursor.at += 1
  let [isNumeric, isText] = [true, true]
  let [count, sum, hasNegative] = [0, 0, false]
  for (skipWhite(cursor); peek(cursor) !== 0x5d; skipWhite(cursor)) {
    const kind = cursor.at < cursor.end ? readOperand(state, depth + 1) : undefined
    if (kind === undefined) throw new UnclearContent("an array without an end")
    isNumeric &&= kind === OPERAND.number
    isText &&= kind === OPERAND.number || kind === OPERAND.string
    if (kind !== OPERAND.number) continue
    count += 1
    sum += state.value
    hasNegative ||= state.value < 0
  }
  cursor.at += 1
  state.dash = { count, sum, hasNegative }
  return isNumeric ? OPERAND.numericArray : isText ? OPERAND.textArray : OPERAND.otherArray
}

function readDictionary(state: State, depth: number): OperandKind {
  const { cursor } = state
  cursor.at += 2
  for (skipWhite(cursor); !looksAt(cursor, ">>"); skipWhite(cursor)) {
    if (cursor.at >= cursor.end || readOperand(state, depth + 1) === undefined)
      throw new UnclearContent("a dictionary without an end")
  }
  cursor.at += 2
  return OPERAND.dictionary
}

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1")

/** With `#xx` decoded, as names of resources are (7.3.5). */
function nameAt({ bytes, end }: Cursor, start: number): string {
  let at = start + 1
  while (at < end && isRegular(bytes[at])) at += 1
  return latin1(bytes, start + 1, at).replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function readOperator(cursor: Cursor, start: number): string {
  skipRegular(cursor)
  const end = Math.min(cursor.at, start + MAX_OPERATOR_BYTES)
  let operator = ""
  for (let at = start; at < end; at++) operator += String.fromCharCode(cursor.bytes[at] ?? 0)
  return operator
}

const MAX_OPERATOR_BYTES = 20

function applyOperator(state: State, operator: string): void {
  if (operator === "BI") {
    if (state.operands !== "") throw new UnclearContent("operands before an inline image")
    skipInlineImage(state.cursor, () => readOperand(state, 1))
  } else {
    const wrong = state.compatible > 0 ? undefined : wrongOperands(operator, state.operands)
    if (wrong !== undefined) throw new UnclearContent(wrong)
    applyState(state, operator)
    applyPath(state, operator)
    applyMarked(state, operator)
    noteResource(state, operator)
  }
  if (state.isRestoredTooFar && PAINTING.has(operator))
    throw new UnclearContent("a graphics state that is restored without being saved")
  state.operands = ""
}

/** Values that readers correct in their own way: tables 52, 54, 55, 56 and 104. */
const RANGES: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ["w", [0, Number.POSITIVE_INFINITY]],
  ["J", [0, 2]],
  ["j", [0, 2]],
  ["Tr", [0, 7]],
])

function applyState(state: State, operator: string): void {
  if (operator === "q") state.saved += 1
  else if (operator === "Q") {
    if (state.saved > 0) state.saved -= 1
    else state.isRestoredTooFar = true
  } else if (operator === "BX") state.compatible += 1
  else if (operator === "EX") state.compatible = Math.max(0, state.compatible - 1)
  const range = RANGES.get(operator)
  const value = range === undefined ? 0 : state.value
  if (range !== undefined && !(value >= range[0] && value <= range[1]))
    throw new UnclearContent(`a value that the operator ${operator} does not take`)
  // 8.4.3.6: no length is negative, and not all are zero.
  const { count, sum, hasNegative } = state.dash
  if (operator === "d" && (hasNegative || (count > 0 && sum === 0) || state.value < 0))
    throw new UnclearContent("a dash pattern that readers draw differently")
}

function applyPath(state: State, operator: string): void {
  if (operator === "m" || operator === "re") state.hasPoint = true
  else if (ENDING_PATH.has(operator)) state.hasPoint = false
  else if (!state.hasPoint && CONTINUING_PATH.has(operator))
    throw new UnclearContent("a path without a beginning")
}

function applyMarked(state: State, operator: string): void {
  if (operator === "BMC" && state.operands === "") state.isUnbalanced = true
  if (operator === "BMC" || operator === "BDC") state.marked += 1
  else if (operator === "EMC") {
    if (state.marked === 0) state.isUnbalanced = true
    else state.marked -= 1
  }
  if (operator !== "BDC" || nameAt(state.cursor, state.first) !== "OC") return
  if (state.operands.endsWith(OPERAND.name)) state.layers.add(nameAt(state.cursor, state.last))
  else state.hasInlineLayer = true
}

function noteResource(state: State, operator: string): void {
  const category = RESOURCES.get(operator)
  if (category === undefined || !state.operands.includes(OPERAND.name)) return
  const name = nameAt(state.cursor, operator === "Tf" ? state.first : state.last)
  if (category === "ColorSpace" && DEVICE_SPACES.has(name)) return
  state.resources.add(resourceKey(category, name))
}

export const resourceKey = (category: ResourceCategory, name: string): string => `${category} ${name}`

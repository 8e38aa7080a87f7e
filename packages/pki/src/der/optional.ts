// The parts of a SEQUENCE that context tags mark (X.680, 25.6.1 and 31.2): optional ones, told by their tags and in the
// order of the standard, and the value behind a tag.

import { DerError, type DerNode, readDer } from "./der.ts"
import { writeTagged } from "./der-writer.ts"

/** The next part if it has the tag, and then it is taken from the list. */
export function takeOptional(parts: DerNode[], tag: number): DerNode | undefined {
  return parts[0]?.tag === tag ? parts.shift() : undefined
}

/** What an explicit tag is around: one value, and nothing beside it. */
export function inside({ children }: DerNode, what: string): DerNode {
  const [value, ...more] = children
  if (value === undefined || more.length > 0) throw new DerError(`${what} is not one value`)
  return value
}

/** What stands under an implicit tag, with its own tag again: the reader did not know by which rules to judge it. */
export function underImplicit(node: DerNode, tag: number): DerNode {
  return readDer(writeTagged(tag, node.content))
}

/** What was read, or undefined where the bytes do not follow their standard; any other error is a fault of ours. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

import type { About } from "@paraph/core/evidence/erase"

/**
 * Where sealed bytes lie: in S3, or in a folder on a laptop. An object is written once, never changed, and found by a
 * name that the caller made and wrote down before (`documents/<uuid>`), so whatever a crash leaves behind has a name.
 */
export type Bucket = {
  /**
   * Copies a whole file under a new name. When it resolves, the bucket has been asked again and said that it holds the
   * object, of this size and checksum. When it throws, the object may be there all the same: remove it by its name.
   * Throws `NameTaken` and leaves what is there as it is.
   */
  readonly put: (name: string, file: SealedBytes) => Promise<void>
  /**
   * The bytes, or those of a range. All that was asked is given, or an error is thrown: there is no short success.
   * Nothing is asked before the first byte is wanted; who stops early lets go of the connection.
   */
  readonly get: (name: string, range?: Range) => AsyncIterable<Uint8Array>
  /** Removes an object; one that is not there is as good as removed. */
  readonly remove: (name: string) => Promise<void>
  /** Every object under `documents/` whose name comes after this one, in the order of their names. */
  readonly list: (after?: string) => AsyncIterable<Listed>
  /** Notes for good that this was erased; what is noted already is as good as noted. */
  readonly markErased: (mark: Mark) => Promise<void>
  /** All that was noted, in no order. */
  readonly listErased: () => AsyncIterable<Mark>
  /** Throws when the bucket cannot be reached. */
  readonly health: () => Promise<void>
  /** Ends what is under way and asks nothing more. */
  readonly close: () => void
}

/** A file on this machine; size and CRC-32 (of zlib, as S3 has it) are those of the sealed bytes in it. */
export type SealedBytes = { readonly path: string; readonly sizeBytes: number; readonly crc32: number }

/** From `start` up to, and without, `end`. */
export type Range = { readonly start: number; readonly end: number }

export type Listed = { readonly name: string; readonly sizeBytes: number; readonly modifiedAt: Date }

export const PREFIX = "documents/"

/** A story, or the object of a document or an attachment, that was erased: it is to stay so when the database is set back (ADR 0063). */
export type Mark = { readonly about: About | "object"; readonly id: string }

export const MARKS = "erased/"

export function nameOfMark({ about, id }: Mark): string {
  const name = `${MARKS}${about}/${id}`
  if (markOf(name) === null) throw new Error("This is no mark of what was erased.")
  return name
}

/** Null: something else that lies there. */
export function markOf(name: string): Mark | null {
  const [, about, id] = MARK.exec(name) ?? []
  return about && id ? { about: about as Mark["about"], id } : null
}

const MARK = /^erased\/(signature-request|seal|validation|object)\/([0-9a-f]{2}[0-9a-z.-]{0,98})$/

/** There is an object of this name, and we did not put it there just now. */
export class NameTaken extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`There is an object ${name} already.`, options)
    this.name = "NameTaken"
  }
}

export class ObjectMissing extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`There is no object ${name}.`, options)
    this.name = "ObjectMissing"
  }
}

/** The bucket said that all was well, and it was not: nothing can be trusted to be stored. */
export class BucketLied extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.name = "BucketLied"
  }
}

/** The object is shorter than the caller took it to be. */
export class RangeOutside extends Error {
  constructor(name: string, options?: ErrorOptions) {
    super(`The object ${name} ends before the range that was asked.`, options)
    this.name = "RangeOutside"
  }
}

/** A name becomes a path and a part of a URL: nothing in it may mean something there. */
export const isName = (name: string): boolean => NAME.test(name)

export function assertName(name: string): void {
  if (!isName(name)) throw new Error("This is no name of an object.")
}

const NAME = /^documents\/[0-9a-f]{2}[0-9a-z.-]{0,98}$/

export function assertRange({ start, end }: Range): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw new Error("This is no range of an object.")
}

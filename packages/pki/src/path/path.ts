// The first candidate path that holds: building (RFC 4158) and validation (RFC 5280, 6.1) in one.

import type { Certificate } from "../certificate/certificate.ts"
import { type BuildOptions, buildPaths } from "./path-building.ts"
import {
  type CertificatePath,
  type PathFault,
  type PathOptions,
  type PathVerdict,
  validatePath,
} from "./path-validation.ts"

export type FindOptions = BuildOptions &
  PathOptions & {
    /** What else a path must be: not revoked, say. Asked only of valid ones. */
    readonly accepts?: (path: CertificatePath) => boolean
    /** Candidates that are validated. */
    readonly maxPaths?: number
  }

export type FoundPath =
  | (PathVerdict & { readonly valid: true; readonly path: CertificatePath })
  | {
      readonly valid: false
      /** `no-path`: nothing leads to an anchor. `given-up`: a limit was met before anything was found. */
      readonly reason: PathFault | "not-accepted" | "no-path" | "given-up"
      /** The first and shortest candidate, and the position in it, where there was one. */
      readonly path?: CertificatePath
      readonly at?: number
    }

const MAX_PATHS = 100

export function findPath(target: Certificate, options: FindOptions): FoundPath {
  const { accepts = () => true, maxPaths = MAX_PATHS } = options
  const candidates = buildPaths(target, options)
  let first: FoundPath | undefined
  for (let tried = 0; tried < maxPaths; tried++) {
    const next = candidates.next()
    if (next.done === true)
      return first ?? { valid: false, reason: next.value === "searched" ? "no-path" : "given-up" }
    const path = next.value
    const verdict = validatePath(path, options)
    if (verdict.valid && accepts(path)) return { ...verdict, path }
    first ??= verdict.valid ? { valid: false, reason: "not-accepted", path } : { ...verdict, path }
  }
  return { valid: false, reason: "given-up" }
}

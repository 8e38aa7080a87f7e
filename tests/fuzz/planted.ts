// Readers with faults that are known, so that a test can see the runner find them. They are in no list of targets.

import { DerError, readDer } from "@paraph/pki/der"
import { octetString, sequence } from "@paraph/pki/der-writer"
import { must, type Target } from "./target.ts"

const common = {
  kind: "der",
  seeds: () => [sequence(octetString(Buffer.from("seed")), octetString(new Uint8Array(3)))],
  refusals: [DerError],
} as const

/** What a mutation must have done for the fault to show. */
function isStruck(input: Uint8Array): boolean {
  const { children } = readDer(input)
  return children.length > 2 && children[0]?.tag === 0x04
}

export const planted: readonly Target[] = [
  {
    ...common,
    name: "planted-exception",
    run: (input) => {
      if (isStruck(input)) throw new TypeError("planted")
    },
  },
  { ...common, name: "planted-property", run: (input) => must(!isStruck(input), "planted") },
  {
    ...common,
    name: "planted-hang",
    run: (input) => {
      while (isStruck(input));
    },
  },
  {
    ...common,
    name: "planted-slow",
    run: (input) => {
      const until = performance.now() + (isStruck(input) ? 1_100 : 0)
      while (performance.now() < until);
    },
  },
  {
    ...common,
    name: "planted-memory",
    run: (input) => (isStruck(input) ? kept.push(Buffer.alloc(160_000_000, 1)) : kept.splice(0)),
  },
]

const kept: Uint8Array[] = []

// Certificate policies along a path: RFC 5280, 6.1.3 (d) and 6.1.4 (b), in the form of RFC 9618. The tree of RFC 5280
// doubles with every certificate if an authority maps two policies onto two others (CVE-2023-0464); the graph has one
// node per policy and depth. It is kept even smaller here: a node knows from which policies of the anchor's domain it
// descends, so the depths above the last are not needed, and a node without children is simply never reached.

import type { PolicyMapping } from "../certificate/extensions.ts"
import { DerError } from "../der/der.ts"

export const ANY_POLICY = "2.5.29.32.0"

/** More than any authority asserts or maps; it bounds the work for a certificate made to be slow. */
const MAX_POLICIES = 500

type PolicyNode = {
  readonly expected: ReadonlySet<string>
  /** The policies, in the domain of the trust anchor, that this one stands for. */
  readonly domain: ReadonlySet<string>
}

/** The nodes of one depth, by their valid_policy. No node at all is the NULL of the standard. */
export type PolicyGraph = ReadonlyMap<string, PolicyNode>

export const INITIAL_GRAPH: PolicyGraph = new Map([
  [ANY_POLICY, { expected: new Set([ANY_POLICY]), domain: new Set([ANY_POLICY]) }],
])

/** 6.1.3 (d) and (e): the next depth, from the policies that a certificate asserts. */
export function addDepth(
  graph: PolicyGraph,
  asserted: readonly string[] | undefined,
  anyPolicyCounts: boolean,
): PolicyGraph {
  const next = new Map<string, PolicyNode>()
  if (asserted === undefined || graph.size === 0) return next
  if (asserted.length > MAX_POLICIES) throw new DerError("too many policies")
  const parents = parentsByExpected(graph)
  const any = graph.get(ANY_POLICY)
  for (const policy of asserted) {
    if (policy === ANY_POLICY) continue
    const found = parents.get(policy)
    // (d)(1)(i), else (ii): what nobody expected may still descend from anyPolicy.
    if (found !== undefined) next.set(policy, child(policy, found))
    else if (any !== undefined) next.set(policy, child(policy, [any]))
  }
  // (d)(2): anyPolicy passes on everything that was expected and not asserted, itself included.
  if (anyPolicyCounts && asserted.includes(ANY_POLICY))
    for (const [policy, found] of parents) if (!next.has(policy)) next.set(policy, child(policy, found))
  return next
}

/** 6.1.4 (b): the mappings of a certificate that is not the last. */
export function mapPolicies(
  graph: PolicyGraph,
  mappings: readonly PolicyMapping[],
  mappingAllowed: boolean,
): PolicyGraph {
  if (mappings.length > MAX_POLICIES) throw new DerError("too many policy mappings")
  const mapped = new Map<string, Set<string>>()
  for (const { issuerDomain, subjectDomain } of mappings)
    mapped.set(issuerDomain, (mapped.get(issuerDomain) ?? new Set()).add(subjectDomain))
  const next = new Map(graph)
  for (const [policy, expected] of mapped) {
    const node = graph.get(policy)
    if (!mappingAllowed) next.delete(policy)
    else if (node !== undefined) next.set(policy, { ...node, expected })
    else if (graph.has(ANY_POLICY)) next.set(policy, { expected, domain: new Set([policy]) })
  }
  return next
}

/**
 * 6.1.5 (g): the policies, in the domain of the trust anchor, under which the path is valid and which the user accepts.
 * `[anyPolicy]` means every one.
 */
export function acceptedPolicies(graph: PolicyGraph, accepted: readonly string[]): readonly string[] {
  const acceptsAny = accepted.includes(ANY_POLICY)
  if (graph.has(ANY_POLICY)) return acceptsAny ? [ANY_POLICY] : [...new Set(accepted)].sort()
  const valid = new Set([...graph.values()].flatMap(({ domain }) => [...domain]))
  return [...valid].filter((policy) => acceptsAny || accepted.includes(policy)).sort()
}

function parentsByExpected(graph: PolicyGraph): ReadonlyMap<string, readonly PolicyNode[]> {
  const parents = new Map<string, PolicyNode[]>()
  for (const node of graph.values())
    for (const policy of node.expected) {
      const found = parents.get(policy)
      if (found === undefined) parents.set(policy, [node])
      else found.push(node)
    }
  return parents
}

// A child of anyPolicy is where a policy begins; below, it inherits what its parents stand for.
function child(policy: string, parents: readonly PolicyNode[]): PolicyNode {
  const domain = new Set<string>()
  for (const parent of parents) for (const one of parent.domain) domain.add(one === ANY_POLICY ? policy : one)
  return { expected: new Set([policy]), domain }
}

// What the certificate of a signer is meant for (RFC 5280, 4.2.1.12).

import { openPdf } from "@paraph/pades/document"
import { bytesSource } from "@paraph/pades/source"
import { describe, expect, it } from "vitest"
import { createContext } from "../context.ts"
import { gatherMaterial } from "../material/gather.ts"
import { DEFAULT_POLICY } from "../policy/default-policy.ts"
import { signingWorld, type Validity } from "../testing/signing-world.ts"
import { chainOutcome, judgeChain } from "./chain.ts"

const SIGNED = new Date("2026-05-05T12:00:00Z")
const YEAR = { notBefore: new Date("2026-01-01"), notAfter: new Date("2026-12-31") }

async function verdict(order: Partial<Validity>): Promise<string> {
  const world = await signingWorld({ signer: { ...YEAR, ...order }, authorities: [YEAR] })
  const file = await world.raise(world.sign(SIGNED), "B-LT", SIGNED)
  const { evidence } = gatherMaterial(openPdf(bytesSource(file)))
  const trust = { anchors: [{ certificate: world.root.certificate }], services: [] }
  const context = createContext(DEFAULT_POLICY, SIGNED, trust, evidence)
  const outcome = chainOutcome(judgeChain(context, world.signer.certificate, "signature"))
  return [outcome.subIndication ?? outcome.indication, ...outcome.reasons.map(({ code }) => code)].join(" ")
}

const critical = (...extendedKeyUsage: readonly string[]) => ({
  extendedKeyUsage,
  extendedKeyUsageCritical: true,
})
const SERVER = "1.3.6.1.5.5.7.3.1"

describe("the certificate of a signer", () => {
  it.each<[string, Partial<Validity>]>([
    ["has no extended key usage", {}],
    ["has one of servers that is not critical", { extendedKeyUsage: [SERVER] }],
    ["is for any purpose", critical("2.5.29.37.0")],
    ["is for signing documents", critical("1.3.6.1.5.5.7.3.36")],
    ["is for email", critical("1.3.6.1.5.5.7.3.4")],
    ["is for clients, and for servers too", critical(SERVER, "1.3.6.1.5.5.7.3.2")],
    ["is for authentic documents of Adobe", critical("1.2.840.113583.1.1.5")],
    ["is for signing documents of Microsoft", critical("1.3.6.1.4.1.311.10.3.12")],
  ])("passes where it %s", async (_, order) => {
    expect(await verdict(order)).toBe("PASSED")
  })

  it.each<[string, Partial<Validity>]>([
    ["servers", critical(SERVER)],
    ["time-stamps", critical("1.3.6.1.5.5.7.3.8")],
    ["OCSP responses", critical("1.3.6.1.5.5.7.3.9")],
    ["code", critical("1.3.6.1.5.5.7.3.3")],
  ])("is refused where a critical extended key usage limits it to %s", async (_, order) => {
    expect(await verdict(order)).toBe("CHAIN_CONSTRAINTS_FAILURE key-usage")
  })
})

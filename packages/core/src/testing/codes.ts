import type { Evidence } from "../evidence/model.ts"
import type { CodePurpose, OneTimeCode } from "../one-time-code/model.ts"
import type { Transact, Tx } from "../ports.ts"
import type { Effect } from "../signature-request/event.ts"
import type { Identity, SignatureRequest } from "../signature-request/model.ts"

export const identityWith = (mobileNumber: string | null): Identity => ({
  provider: "demo_ident",
  firstName: "Ada",
  lastName: "Lovelace",
  mobileNumber,
  issuingCountry: "CH",
  identityReference: null,
})

type Kept = { readonly codes: Map<string, OneTimeCode>; readonly counts: Map<string, number> }

/** For tests: codes and counts in memory, for any number of requests, as they are just now; a transaction that throws leaves nothing behind. */
export function createCodeDesk(requests: () => readonly SignatureRequest[]) {
  let kept: Kept = { codes: new Map(), counts: new Map() }
  const jobs: (Effect & { readonly type: "send-code"; readonly requestId: string })[] = []
  const evidence: Evidence[] = []
  const transact: Transact = async (_, work) => {
    const before = { codes: new Map(kept.codes), counts: new Map(kept.counts) }
    const key = (purpose: CodePurpose, signatureId: string) => `${purpose} ${signatureId}`
    const tx = {
      lockRequest: async (id: string) => requests().find((each) => each.id === id) ?? null,
      lockCode: async (purpose: CodePurpose, id: string) => kept.codes.get(key(purpose, id)) ?? null,
      saveCode: async (code: OneTimeCode) => void kept.codes.set(key(code.purpose, code.signatureId), code),
      addToday: async (what: string, of: string, at: Date, more: number) => {
        const name = `${what} ${of} ${at.toISOString().slice(0, 10)}`
        kept.counts.set(name, (kept.counts.get(name) ?? 0) + more)
        return kept.counts.get(name)
      },
      sessionLanguage: async () => null,
      enqueue: async (request: SignatureRequest, [effect]: readonly Effect[]) =>
        void (effect?.type === "send-code" && jobs.push({ ...effect, requestId: request.id })),
      appendEvidence: async (_: string, more: readonly Evidence[]) => void evidence.push(...more),
    } as unknown as Tx
    try {
      return await work(tx)
    } catch (error) {
      kept = before
      throw error
    }
  }
  return {
    transact,
    jobs,
    evidence,
    hashSignerCode: ({ purpose, binding, sessionHash, number }: OneTimeCode, text: string) => ({
      pepperId: "one",
      current: Uint8Array.from(`${purpose} ${binding} ${sessionHash[0]} ${number} ${text}`, (c) =>
        c.charCodeAt(0),
      ),
      earlier: [],
    }),
    signerCodeFor: ({ purpose, number }: OneTimeCode) =>
      String((purpose === "release" ? 500_000 : 100_000) + number),
  }
}

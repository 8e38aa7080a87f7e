import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { startTrustSandbox, type TrustSandbox } from "../sandbox.ts"
import { visitCscProvider } from "./person.ts"
import { bytes, FACTORS, failing, failure, newWay, type Rig, signingOf, startRig } from "./testing/client.ts"

let sandbox: TrustSandbox
let rig: Rig
/** Whose people release by what they tell us. */
let explicit: Rig
beforeAll(async () => {
  sandbox = await startTrustSandbox({ now: () => new Date() })
  rig = await startRig(sandbox)
  explicit = await startRig(sandbox, { mode: "explicit" })
})
afterEach(() => {
  rig.csc.misbehave({})
  explicit.csc.misbehave({})
})
afterAll(async () => {
  await Promise.all([rig?.close(), explicit?.close()])
  await sandbox?.close()
})

const ADA = { login: "ada.lovelace@example.org" }

describe("one release", () => {
  it("is for one call, for these hashes, of this credential", async () => {
    const { credential, accessToken } = await rig.find("once@example.org")
    const count = rig.csc.signatures().length
    const { signHash } = rig.provider
    const release = () => rig.release(credential, bytes("one", "two"), { login: "once@example.org" })
    const signing = await release()
    expect(await failing(signHash({ ...signing, toBeSigned: bytes("one", "three") }))).toBe("for-good")
    expect(await failing(signHash({ ...signing, toBeSigned: bytes("one") }))).toBe("for-good")
    expect(await failing(signHash({ ...signing, toBeSigned: bytes("one", "two", "two") }))).toBe("for-good")
    expect(await failing(signHash({ ...signing, credentialId: "sandbox-other" }))).toBe("for-good")
    expect(await failing(signHash({ ...signing, accessToken }))).toBe("for-good")
    expect(await failing(signHash({ ...signing, accessToken: "x" }))).toBe("expired")
    const other = await rig.find("somebody-else@example.org")
    expect(
      await failing(signHash({ ...signing, accessToken: other.accessToken, sad: signing.accessToken })),
    ).toBe("for-good")
    expect(rig.csc.signatures().length).toBe(count)
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => signHash(signing)))
    expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1)
    expect(rig.csc.signatures().length).toBe(count + 2)
  })

  it("whose answer was lost is never signed again: the same call says that it is used up", async () => {
    const { credential } = await rig.find("lost@example.org")
    const signing = await rig.release(credential, bytes("one", "two"), { login: "lost@example.org" })
    const count = rig.csc.signatures().length
    rig.csc.misbehave({ answers: { "signatures/signHash": "lost" } })
    expect(await failure(rig.provider.signHash(signing))).toMatchObject({
      code: "unreachable",
      mayHaveSigned: true,
    })
    rig.csc.misbehave({})
    for (let again = 0; again < 3; again += 1) {
      const error = await failure(rig.provider.signHash(signing))
      expect([error.code, error.mayHaveSigned]).toEqual(["expired", false])
    }
    expect(rig.csc.signatures().length).toBe(count + 2)
  })

  it("whose call never arrived is signed by the same call, once", async () => {
    const { credential } = await rig.find("late@example.org")
    const signing = await rig.release(credential, bytes("one"), { login: "late@example.org" })
    const count = rig.csc.signatures().length
    rig.csc.misbehave({ answers: { "signatures/signHash": "drop" } })
    expect(await failing(rig.provider.signHash(signing))).toBe("unreachable")
    rig.csc.misbehave({})
    expect(await rig.provider.signHash(signing)).toMatchObject({ state: "signed" })
    expect(rig.csc.signatures().length).toBe(count + 1)
  })

  it("can be signed in the background: asking again makes nothing", async () => {
    const { credential } = await rig.find("patient@example.org")
    const released = await rig.release(credential, bytes("one"), { login: "patient@example.org" })
    const signing = { ...released, asynchronous: true }
    const count = rig.csc.signatures().length
    rig.csc.misbehave({ pendingPolls: 2 })
    const begun = await rig.provider.signHash(signing)
    if (begun.state !== "pending") throw new Error("Signed at once.")
    const { responseId } = begun
    const poll = () => rig.provider.signPolling(signing, responseId)
    expect([await poll(), await poll()]).toEqual([begun, begun])
    rig.csc.misbehave({ answers: { "signatures/signPolling": "lost" } })
    expect(await failing(poll())).toBe("unreachable")
    rig.csc.misbehave({})
    const [first, second] = [await poll(), await poll()]
    expect(first).toMatchObject({ state: "signed" })
    expect(second).toEqual(first)
    expect(rig.csc.signatures().length).toBe(count + 1)
  })

  it("is of the person whose credential it is, and of no more signatures than it is good for", async () => {
    const one = await startRig(sandbox, { multisign: 2 })
    const { credential } = await one.find(ADA.login)
    expect(credential.multisign).toBe(2)
    expect(await failing(one.release(credential, bytes("one"), { login: "eve@example.org" }))).toBe(
      "for-good",
    )
    expect(await failing(one.release(credential, bytes("one", "two", "three"), ADA))).toBe("for-good")
    expect(await failing(one.release(credential, [], ADA))).toBe("for-good")
    expect(one.csc.signatures()).toEqual([])
    await one.close()
  })

  it("ends by the clock", async () => {
    let ahead = 0
    const one = await startRig(sandbox, { now: () => new Date(Date.now() + ahead), releaseSeconds: 60 })
    const { credential } = await one.find(ADA.login)
    const signing = await one.release(credential, bytes("one"), ADA)
    ahead = 61_000
    expect(await failing(one.provider.signHash(signing))).toBe("expired")
    expect(one.csc.signatures()).toEqual([])
    await one.close()
  })
})

describe("a way there and back", () => {
  const begin = async () => {
    const way = newWay()
    const { back } = await visitCscProvider(
      await rig.provider.authorizationUrl({ scope: "service", ...way }),
      ADA,
    )
    return { way, back }
  }

  it("counts once", async () => {
    const { way, back } = await begin()
    await rig.provider.exchange(way, back.search)
    expect(await failing(rig.provider.exchange(way, back.search))).toBe("expired")
  })

  it("counts for its own state and its own verifier alone", async () => {
    const { way, back } = await begin()
    expect(await failing(rig.provider.exchange({ ...way, state: "other" }, back.search))).toBe(
      "invalid-answer",
    )
    expect(await failing(rig.provider.exchange(way, `${back.search}&state=${way.state}`))).toBe(
      "invalid-answer",
    )
    expect(await failing(rig.provider.exchange(way, `?state=${way.state}`))).toBe("invalid-answer")
    expect(await failing(rig.provider.exchange({ ...way, codeVerifier: "w".repeat(43) }, back.search))).toBe(
      "expired",
    )
  })

  it("can be left by the person, at the login and at the release", async () => {
    for (const person of [
      { ...ADA, logsIn: false },
      { ...ADA, releases: false },
    ]) {
      const way = newWay()
      const url = await rig.provider.authorizationUrl({ scope: "service", ...way })
      const { back } = await visitCscProvider(url, person)
      expect(back.searchParams.get("error")).toBe("access_denied")
      expect(await failing(rig.provider.exchange(way, back.search))).toBe("refused")
    }
  })

  it("leads to no host inside the network that nobody named", async () => {
    const one = await startRig(sandbox, {}, [])
    expect(await failing(one.provider.info())).toBe("for-good")
    await one.close()
  })
})

describe("a release by what the person knows", () => {
  const asked = async (login: string) => {
    const { accessToken, credential } = await explicit.find(login)
    return { ...signingOf(credential, bytes("one")), accessToken, credential }
  }

  it("tells what is asked for, and takes it", async () => {
    const { credential, ...one } = await asked("explicit@example.org")
    if (credential.release.mode !== "explicit") throw new Error("Another mode.")
    expect(credential.release.expression).toBe("PIN AND OTP")
    expect(credential.release.factors.map(({ id, type, format }) => [id, type, format])).toEqual([
      ["PIN", "Password", "N"],
      ["OTP", "ChallengeResponse", "N"],
    ])
    expect(await explicit.provider.challenge(one.accessToken, credential.id, "OTP")).toBeNull()
    explicit.csc.misbehave({ release: "refuse" })
    expect(await failing(explicit.provider.activate({ ...one, factors: FACTORS }))).toBe("refused")
  })

  it("is refused with a wrong code, and after three of them for good", async () => {
    const { credential: _, ...one } = await asked("wrong@example.org")
    const wrong = FACTORS.map((factor) => (factor.id === "OTP" ? { ...factor, value: "000000" } : factor))
    const codes: string[] = []
    for (let time = 0; time < 4; time += 1)
      codes.push(await failing(explicit.provider.activate({ ...one, factors: wrong })))
    expect(codes).toEqual([...Array(3).fill("wrong-factor"), "credential-unusable"])
    expect(await failing(explicit.provider.activate({ ...one, factors: FACTORS }))).toBe(
      "credential-unusable",
    )
  })

  it("may take a while on the person's telephone", async () => {
    const { credential: _, ...one } = await asked("mobile@example.org")
    explicit.csc.misbehave({ pendingPolls: 2 })
    const begun = await explicit.provider.activate({ ...one, factors: FACTORS })
    if (begun.state !== "pending") throw new Error("Released at once.")
    expect(await explicit.provider.activation(one.accessToken, begun.handle)).toEqual(begun)
    const released = await explicit.provider.activation(one.accessToken, begun.handle)
    if (released.state !== "released") throw new Error("Not released.")
    expect(await explicit.provider.signHash({ ...one, sad: released.sad })).toMatchObject({ state: "signed" })
    expect(await failing(explicit.provider.signHash({ ...one, sad: released.sad }))).toBe("expired")
  })
})

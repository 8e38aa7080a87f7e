import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { firstReliable } from "@paraph/gateways/first-reliable"
import { revocationPorts } from "@paraph/gateways/revocation"
import { askAuthority } from "@paraph/gateways/timestamp"
import { obtainTimestamp } from "@paraph/pades/timestamp"
import { certificatesInPem } from "@paraph/pki/pem"
import { createClock } from "@paraph/server/clock"
import type { Config } from "@paraph/server/config"
import { openOutbound } from "@paraph/server/delivery-parts"
import { createRandomness } from "@paraph/server/randomness"

/** A time-stamp of each authority by itself, judged as those of signatures are: by its root, and by who says that it is not revoked. */
export async function timestampsWork(config: Config): Promise<string> {
  const anchors = certificatesInPem(readFileSync(config.TRUST_ANCHORS_FILE, "utf8"))
  if (anchors.length === 0) throw new Error(`there is no certificate in ${config.TRUST_ANCHORS_FILE}`)
  const [outbound, now] = [openOutbound(config), createClock(config.CLOCK_FILE)]
  const { newNonce } = createRandomness(config.SEED, "doctor")
  const revocation = { ...revocationPorts(outbound), newNonce }
  for (const url of config.TIMESTAMP_URLS) {
    const authority = firstReliable([askAuthority(outbound, url)], { now, anchors, revocation })
    const imprint = { digest: randomBytes(32), digestAlgorithm: "sha256" } as const
    await obtainTimestamp(authority, imprint, { now: now(), anchors, newNonce }).catch((cause: Error) => {
      throw new Error(`${url}: ${cause.message}${nextStep(cause)}`, { cause })
    })
  }
  return `${config.TIMESTAMP_URLS.join(", ")}: each gave a time-stamp that can be relied upon`
}

/** What the two faults that a first installation meets are mended by. */
function nextStep({ message, ...rest }: Error): string {
  if ("code" in rest && rest.code === "untrusted") return " Is its root in TRUST_ANCHORS_FILE?"
  if (message.includes("not one of the public internet"))
    return " A host inside your network is named in REVOCATION_ALLOWED_HOSTS."
  return ""
}

import { writeEvent } from "@paraph/contract/shared/event"
import type { Attempted, Claimed } from "@paraph/core/delivery/model"
import type { Clock } from "@paraph/core/ports"
import { validSecrets } from "@paraph/core/webhook/model"
import { postCallback } from "@paraph/gateways/callback"
import { createOutbound, type Outbound } from "@paraph/gateways/outbound"
import { postWebhook } from "@paraph/gateways/webhook"
import { publicKeyOf, readSigningKey, webhookHeaders } from "@paraph/gateways/webhook-headers"
import type { ServiceDatabase } from "@paraph/store/postgres/database"
import * as deliveries from "@paraph/store/postgres/deliveries"
import { journalGivenUp } from "@paraph/store/postgres/journal"
import type { RowSealer } from "@paraph/store/postgres/transact"
import { findWebhookCall } from "@paraph/store/postgres/webhook-deliveries"
import type { Config } from "./config.ts"

/** What leaves the service, with the certificate that receivers of callbacks may ask for. */
export const openOutbound = (config: Config): Outbound =>
  createOutbound({
    allowedHosts: {
      callback: config.CALLBACK_ALLOWED_HOSTS,
      download: config.DOWNLOAD_ALLOWED_HOSTS,
      identity: config.IDENTITY_ALLOWED_HOSTS,
      revocation: config.REVOCATION_ALLOWED_HOSTS,
      identification: config.IDENTIFICATION_ALLOWED_HOSTS,
      qes: config.QES_ALLOWED_HOSTS,
      sms: config.SMS_ALLOWED_HOSTS,
      "trusted-lists": config.TRUSTED_LISTS_ALLOWED_HOSTS,
      // Whoever names an authority means it to be asked, wherever it stands.
      timestamp: config.TIMESTAMP_URLS.map((url) => new URL(url).host),
      witness: config.LOG_WITNESSES.map(({ url }) => new URL(url).host),
    },
    ...(config.OUTBOUND_CA_FILE !== "" && { caFile: config.OUTBOUND_CA_FILE }),
    ...(config.OUTBOUND_PROXY !== "" && { proxyUrl: config.OUTBOUND_PROXY }),
    ...(config.CALLBACK_CERTIFICATE_FILE !== "" && {
      clientCertificate: { certFile: config.CALLBACK_CERTIFICATE_FILE, keyFile: config.CALLBACK_KEY_FILE },
    }),
  })

/** What stands behind callbacks and webhooks. */
export function buildDeliveryParts(
  config: Config,
  outbound: Outbound,
  db: ServiceDatabase,
  sealer: RowSealer,
  now: Clock,
) {
  const key = config.WEBHOOK_SIGNING_KEY === "" ? null : readSigningKey(config.WEBHOOK_SIGNING_KEY)
  const ofService = key === null ? {} : { key }
  return {
    /** For those who would rather trust one key of ours than share a secret; null: there is none. */
    webhookPublicKey: key === null ? null : publicKeyOf(key),
    deliverySettings: { slots: config.DELIVERY_SLOTS, firstPauseMs: config.DELIVERY_PAUSE_MS },
    /** From 0 to 1: what is taken off a pause. */
    random: Math.random,
    claimDeliveries: (claim: Omit<deliveries.Claim, "now">) =>
      deliveries.claimDeliveries(db, { ...claim, now: now() }),
    bringForward: (at: Date) => deliveries.bringForward(db, at),
    extendClaims: (claim: string, ids: readonly string[], until: Date) =>
      deliveries.extendClaims(db, claim, ids, until),
    recordAttempt: (claimed: Claimed, attempted: Attempted) =>
      deliveries.recordAttempt(db, claimed, attempted, (trx) =>
        claimed.to === "callback" && attempted.next.state === "RESIGNED"
          ? journalGivenUp(trx, claimed.id, attempted.at)
          : Promise.resolve(),
      ),
    postCallback: (id: string, url: string) =>
      postCallback(outbound, url, webhookHeaders({ id, at: now(), body: "", secrets: [], ...ofService })),
    /** Null: the webhook is gone or stopped, and with it what was owed to it. */
    postWebhook: async (claimed: Extract<Claimed, { to: "webhook" }>) => {
      const call = await findWebhookCall(db, sealer, claimed)
      if (call === null) return null
      const { webhook, event } = call
      const at = now()
      const secrets = validSecrets(webhook.secrets, at)
      const body = JSON.stringify(writeEvent(event))
      return postWebhook(outbound, webhook.url, { id: event.id, at, body, secrets, ...ofService })
    },
  }
}

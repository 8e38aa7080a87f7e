import { SETTINGS } from "@paraph/server/config"

type Schema = Readonly<Record<string, unknown>>

const shape = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  additionalProperties: false,
  properties,
})
const of = (type: string, more: Schema = {}): Schema => ({ type, ...more })
const text = of("string")
const yes = of("boolean")
const count = of("integer", { minimum: 0 })
const list = of("array")
const map = of("object")

const role = {
  replicas: count,
  settings: { $ref: "#/$defs/settings" },
  resources: map,
  spool: shape({ size: text }),
  autoscaling: shape({ enabled: yes, minReplicas: count, maxReplicas: count, targetCPU: count }),
  podDisruptionBudget: shape({ enabled: yes, maxUnavailable: { type: ["integer", "string"] } }),
  initContainers: list,
  extraVolumes: list,
  extraVolumeMounts: list,
  nodeSelector: map,
  tolerations: list,
  affinity: map,
  topologySpreadConstraints: list,
  priorityClassName: text,
}

function definitions(): Schema {
  const settings = shape(
    Object.fromEntries(
      Object.entries(SETTINGS).map(([name, { about }]) => [
        name,
        { type: ["string", "number", "boolean"], description: about },
      ]),
    ),
  )
  const named = [...new Set(Object.keys(SETTINGS).map((name) => name.replace(/_FILE$/, "")))]
  const secrets = shape({
    existingSecret: text,
    files: of("object", { propertyNames: { enum: named }, additionalProperties: text }),
  })
  return { settings, secrets }
}

/** What values of the chart may be. A setting that the product does not know is refused before anything is installed. */
export function valuesSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $defs: definitions(),
    ...shape({
      global: map,
      image: shape({
        repository: text,
        tag: text,
        digest: of("string", { pattern: "^(sha256:[0-9a-f]{64})?$" }),
        pullPolicy: { enum: ["Always", "IfNotPresent", "Never"] },
        pullSecrets: list,
      }),
      settings: { $ref: "#/$defs/settings" },
      secrets: shape(
        Object.fromEntries(
          ["server", "worker", "migration"].map((group) => [group, { $ref: "#/$defs/secrets" }]),
        ),
      ),
      api: shape(role),
      validation: shape({ enabled: yes, ...role }),
      worker: shape(role),
      migration: shape({ enabled: yes, deadlineSeconds: count, resources: map }),
      preStopSeconds: of("integer", { minimum: 1 }),
      terminationGracePeriodSeconds: count,
      service: shape({ type: text, port: count }),
      ingress: shape({
        enabled: yes,
        className: text,
        annotations: map,
        tlsSecret: text,
        plain: shape({ enabled: yes, annotations: map }),
      }),
      networkPolicy: shape({ enabled: yes, from: list, metricsFrom: list, egress: list }),
      bounces: shape({ enabled: yes, from: list, serviceType: text }),
      serviceAccount: shape({ create: yes, name: text, annotations: map }),
      podSecurity: shape({ user: of("integer", { minimum: 1 }), seccompProfile: map }),
      podLabels: map,
      podAnnotations: map,
      serviceMonitor: shape({ enabled: yes, interval: text, labels: map }),
      prometheusRule: shape({ enabled: yes, labels: map }),
      dashboard: shape({ enabled: yes, labels: map }),
    }),
  }
}

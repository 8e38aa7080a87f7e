import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api"

type Traces = { readonly stop: () => Promise<void> }

/** Sends spans to a collector when one is configured; otherwise the calls below cost next to nothing, and nothing is loaded. */
export async function startTraces(endpoint: string, share: number, role: string): Promise<Traces> {
  if (endpoint === "") return { stop: async () => undefined }
  const { AsyncLocalStorageContextManager } = await import("@opentelemetry/context-async-hooks")
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http")
  const { resourceFromAttributes } = await import("@opentelemetry/resources")
  const sdk = await import("@opentelemetry/sdk-trace")
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ "service.name": "paraph", "paraph.role": role }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  return { stop: () => provider.shutdown() }
}

export const startSpan = (name: string, kind: SpanKind, attributes: Attributes): Span =>
  trace.getTracer("paraph").startSpan(name, { kind, attributes })

/** Runs work as the child of a new span; an error is noted on it and goes on. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = startSpan(name, kind, attributes)
  try {
    return await context.with(trace.setSpan(context.active(), span), work)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

export { SpanKind }

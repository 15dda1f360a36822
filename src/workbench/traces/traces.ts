import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { systemClock } from '../../platform/common/clock.ts'
import { VERSION } from '../../platform/common/version.ts'
import type { EndedCall } from '../../platform/outbound/call.ts'

/** Sends a trace of each request and outgoing call to a collector. */
export interface Traces {
  /** Adds a request whose reply is being sent; a stream ends with its head. */
  addRequest(host: string, request: FastifyRequest, reply: FastifyReply): void
  addCall(call: EndedCall): void
  /** Sends what is left, as far as the collector takes it in time. */
  close(): Promise<void>
}

const TIMEOUT_MS = 5_000
/** W3C Trace Context, section 3.2. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** `endpoint`: of a collector that speaks OTLP over HTTP, with its path. */
export function openTraces(endpoint: string): Traces {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'plaza', 'service.version': VERSION }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: endpoint, timeoutMillis: TIMEOUT_MS }),
        exportTimeoutMillis: TIMEOUT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('plaza', VERSION)
  const add = (
    name: string,
    ms: number,
    options: SpanOptions,
    parent: Context = ROOT_CONTEXT,
    error = false,
  ) => {
    const now = systemClock.now()
    const span = tracer.startSpan(name, { ...options, startTime: now - ms }, parent)
    if (error) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(now)
  }
  return {
    addRequest(host, request, { statusCode }) {
      const { raw, endpoint: route, id, caller, error, began } = request
      const attributes: Attributes = {
        'http.request.method': raw.method ?? '',
        'http.response.status_code': statusCode,
        'plaza.host': host,
        'plaza.request_id': id,
        ...(route !== '' && { 'http.route': route.slice(route.indexOf(' ') + 1) }),
        ...(caller?.app && { 'plaza.app_id': caller.app.id }),
        ...(caller?.userId !== undefined && { 'plaza.user_id': caller.userId }),
        ...(error && { 'error.type': error.reason }),
      }
      const name = route === '' ? (raw.method ?? '') : route
      const ms = performance.now() - began
      add(name, ms, { kind: SpanKind.SERVER, attributes }, parentOf(request), statusCode >= 500)
    },
    addCall({ method, url, result, durationMs }) {
      // The query of a check has its token.
      const attributes: Attributes = {
        'http.request.method': method,
        'server.address': new URL(url).hostname,
        ...(result.kind === 'answered'
          ? { 'http.response.status_code': result.status }
          : { 'error.type': result.kind }),
      }
      const isError = result.kind !== 'answered' || result.status >= 400
      add(method, durationMs, { kind: SpanKind.CLIENT, attributes }, ROOT_CONTEXT, isError)
    },
    close: () => provider.shutdown().catch(() => undefined),
  }
}

/** The span of the client that sent the request, if it names one. */
function parentOf({ raw: { headers } }: FastifyRequest): Context {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(String(headers.traceparent)) ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...{ traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true },
  })
}

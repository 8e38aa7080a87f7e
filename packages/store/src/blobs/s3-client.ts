import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3"

export type S3Settings = {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Null: the SDK's default chain finds credentials, and renews those that expire. */
  readonly keys: { readonly accessKey: string; readonly secretKey: string } | null
  readonly timing?: Partial<S3Timing>
}

export type S3Timing = {
  /** A connection is made, or had from the pool, within this long. */
  readonly connectMs: number
  /** A server that hangs is a server that is down: nothing moves for this long, and the call ends. */
  readonly silenceMs: number
  /** How long a quick question (is it there? are you there?) may take when something already looks wrong. */
  readonly lookMs: number
  /** The pauses between attempts, so that a store which is started again is not noticed. */
  readonly pausesMs: readonly [number, number, number]
}

const TIMING: S3Timing = { connectMs: 3_000, silenceMs: 15_000, lookMs: 3_000, pausesMs: [250, 1_000, 2_000] }

/**
 * The client of one bucket, three times over, because each pool of connections is bounded and whoever waits in one for
 * `connectMs` is turned away: a hundred people who download slowly must not keep an upload from being stored, nor
 * uploads the question whether one is there. How many documents move at once is decided by who calls, and long before.
 */
export type S3 = {
  readonly bucket: string
  readonly timing: S3Timing
  readonly puts: S3Client
  readonly gets: S3Client
  readonly questions: S3Client
  readonly isClosed: () => boolean
  readonly close: () => void
}

const SOCKETS = { puts: 128, gets: 512, questions: 64 }

export function openS3(settings: S3Settings): S3 {
  const timing = { ...TIMING, ...settings.timing }
  const puts = client(settings, timing, SOCKETS.puts, timing.silenceMs)
  // Who reads a document may be slow and stop for a while; `s3-get` knows whose silence it is.
  const gets = client(settings, timing, SOCKETS.gets, 0)
  const questions = client(settings, timing, SOCKETS.questions, timing.silenceMs)
  let closed = false
  const close = () => {
    closed = true
    for (const each of [puts, gets, questions]) each.destroy()
  }
  return { bucket: settings.bucket, timing, puts, gets, questions, isClosed: () => closed, close }
}

const ignore = () => undefined

function client(settings: S3Settings, timing: S3Timing, maxSockets: number, socketTimeout: number): S3Client {
  const config: S3ClientConfig = {
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: true,
    ...(settings.keys !== null && {
      credentials: { accessKeyId: settings.keys.accessKey, secretAccessKey: settings.keys.secretKey },
    }),
    // Stores other than AWS do not all know the newer checksums; we give a CRC-32 of our own, and GCM proves the bytes.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // With this header the client takes connections outside of the pool, and waits 6 s for a server that ignores it.
    expectContinueHeader: false,
    // The client cannot begin a stream anew, and does not know what may be repeated; `s3-attempts` does.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: timing.connectMs,
      socketTimeout,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
    },
    // Errors are thrown to us; the client need not write them to our output as well.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
  }
  return new S3Client(config)
}

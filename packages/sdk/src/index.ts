export type { components as V2Schemas } from "./api/v2.ts"
export type { components as V3Schemas } from "./api/v3.ts"
export type { components as ValidationSchemas } from "./api/validation-v1.ts"
export type { Clock } from "./clock.ts"
export type { List, Page } from "./operations.ts"
export { createParaph, type Paraph, type Settings, type ValidateOptions } from "./paraph.ts"
export { ConnectionError, type Problem, ProblemError } from "./problem.ts"
export type { NewDocument, Source } from "./upload.ts"
export { type AnyRequest, NotSignedError, type Unsigned, type WaitOptions, WaitTimeoutError } from "./wait.ts"
export {
  verifyWebhook,
  type WebhookCall,
  WebhookError,
  type WebhookEvent,
  type WebhookFault,
} from "./webhook.ts"

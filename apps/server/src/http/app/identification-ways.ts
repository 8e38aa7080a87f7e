import { LIMITS } from "@paraph/core/limits"
import { createWays } from "./ways.ts"

/** The round trip to a provider of identification, bound to the browser by a cookie. */
export const identificationWays = createWays("identify", LIMITS.identificationWayMs)

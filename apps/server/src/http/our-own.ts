import { Socket } from "node:net"
import type { FastifyRequest } from "fastify"

/** A request that came by no connection: the server asks itself (`inject`), in the name of whoever asked it. */
export const isOurOwn = ({ raw }: FastifyRequest): boolean => !(raw.socket instanceof Socket)

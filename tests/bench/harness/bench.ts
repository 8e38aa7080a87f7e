// What every path is measured on: the stack, one service, and the processor time of its programs.
import { resolve } from "node:path"
import { lease } from "../../../scripts/stack/lease.ts"
import type { Stack } from "../../../scripts/stack/stack.ts"
import { makeTemplate } from "../../../scripts/stack/template.ts"
import { type Service, type ServiceOptions, startService } from "../../service/service.ts"
import { useStack } from "../../service/settings.ts"
import { processorTimes } from "../processor-time.ts"

const root = resolve(import.meta.dirname, "../../..")

export type Bench = {
  readonly stack: Stack
  readonly withService: <T>(options: ServiceOptions, work: (service: Service) => Promise<T>) => Promise<T>
}

export async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const held = await lease(resolve(root, ".stack", "bench-stack"), { fast: true })
  try {
    await makeTemplate(held.stack)
    useStack(held.stack.dir)
    return await work({ stack: held.stack, withService: serving(held.stack) })
  } finally {
    await held.release()
  }
}

const serving =
  (stack: Stack): Bench["withService"] =>
  async (options, work) => {
    // As it runs in production: by the machine's own clock. Nobody sweeps meanwhile; a figure would have it now and then.
    const env = { CLOCK_FILE: "", SWEEP_SECONDS: "3600", ...options.env }
    const service = await startService({ ...options, stack, env })
    try {
      return await work(service)
    } finally {
      await service.close()
    }
  }

/** Milliseconds of the processors that these programs, and PostgreSQL, spent while `act` ran. */
export async function spentBy(
  { services }: Pick<Stack, "services">,
  pids: readonly number[],
  act: () => Promise<unknown>,
): Promise<{ readonly program: number; readonly postgres: number }> {
  const read = () => processorTimes({ program: pids, postgres: [services.postgres.process.pid] }, [])
  const before = read()
  await act()
  const after = read()
  const spent = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
  return { program: spent("program"), postgres: spent("postgres") }
}

/**
 * What PostgreSQL knows of its tables, as autovacuum keeps it in production; this stack has that switched off. Plans that were kept
 * before are made anew.
 */
export const learnTables = ({ sql }: Pick<Service, "sql">): Promise<string> => sql("vacuum (analyze)")

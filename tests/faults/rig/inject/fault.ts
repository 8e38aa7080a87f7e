import type { Random } from "../random.ts"
import type { Rig } from "../rig.ts"

/** One kind of fault (security, 2.2): it is done, it lasts, and it is over when the promise is. */
export type Fault = {
  readonly id: string
  readonly name: string
  /** Answers what was done, in a few words, or null where there was nothing to do it to; throws where it found what must not be. */
  readonly inject: (rig: Rig, random: Random) => Promise<string | null>
  /** How often it is drawn beside the others. */
  readonly weight: number
  /** Changes who is the primary, or stops it: not two of them at once. */
  readonly ofDatabase?: boolean
}

/** What must not be was seen. Anything else that is thrown says that the rig itself does not work. */
export class Found extends Error {}

/** With other parts away it may not come to it: then nothing was injected, and nothing is counted. */
export const ifItComesToIt =
  (inject: Fault["inject"]): Fault["inject"] =>
  async (rig, random) => {
    try {
      return await inject(rig, random)
    } catch (error) {
      if (error instanceof Found) throw error
      return null
    }
  }

// Waits until a unit has been read and compared to its end.
import type { EngineApi, UnitAt, UnitInfo } from '../../preload/contract/engine.ts'

export async function settled(engine: EngineApi, { session, unit }: UnitAt): Promise<UnitInfo> {
  for (;;) {
    const info = (await engine.session({ session }, new AbortController().signal)).units[unit]
    if (info?.state === 'done' || info?.state === 'failed') return info
    await new Promise(resolve => setImmediate(resolve))
  }
}

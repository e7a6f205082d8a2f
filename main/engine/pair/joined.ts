// Partners while they are being found: who has one keeps it.
import type { BenchOp, DebugOp, Ids } from '../model/index.ts'

export class Joined {
  readonly toBench: Ids<DebugOp, BenchOp>
  readonly toDebug: Ids<BenchOp, DebugOp>

  constructor(debug: number, bench: number) {
    this.toBench = new Int32Array(debug).fill(-1)
    this.toDebug = new Int32Array(bench).fill(-1)
  }

  join(op: DebugOp, other: BenchOp): void {
    if (this.toBench[op] >= 0 || this.toDebug[other] >= 0) return
    this.toBench[op] = other
    this.toDebug[other] = op
  }
}

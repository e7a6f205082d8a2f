// Powers of five as 128 bits each: what decimals are read and spelled with.

let table: BigUint64Array | undefined

/** Powers of five from 5^-80 to 5^80 as 128 bits each, high half first: rounded down above, up below 1. */
export function fives(): BigUint64Array {
  if (table) return table
  table = new BigUint64Array(161 * 2)
  for (let q = -80; q <= 80; q++) {
    let power = 5n ** BigInt(Math.abs(q))
    const bits = bitsOf(power)
    if (q < 0) {
      power = (1n << (q >= -27 ? bits + 127n : 2n * bits + 128n)) / power + 1n
      power >>= bitsOf(power) - 128n
    } else power = bits > 128n ? power >> (bits - 128n) : power << (128n - bits)
    table.set([power >> 64n, power & 0xffff_ffff_ffff_ffffn], (q + 80) * 2)
  }
  return table
}

const bitsOf = (n: bigint): bigint => BigInt(n.toString(2).length)

// Products of 64-bit numbers that need 128 bits, in WebAssembly.

/** Low half of the last product. */
export let low: u64 = 0

/** High half of a product; the low half is left in `low`. */
@inline export function product(a: u64, b: u64): u64 {
  const al = a & 0xffffffff,
    ah = a >> 32,
    bl = b & 0xffffffff,
    bh = b >> 32
  const ll = al * bl,
    lh = al * bh,
    hl = ah * bl
  const mid = (ll >> 32) + (lh & 0xffffffff) + (hl & 0xffffffff)
  low = (ll & 0xffffffff) | (mid << 32)
  return ah * bh + (lh >> 32) + (hl >> 32) + (mid >> 32)
}

// The inner block of a matrix product: 4 rows by 4 columns in registers, over packed panels.

/**
 * c[4 × 4] += a · b; `a`: k groups of 4 rows, `b`: k groups of 4 columns, both packed; `ldc` in bytes.
 */
@inline function block(a: usize, b: usize, c: usize, k: i32, ldc: usize): void {
  let c00 = f64x2.splat(0)
  let c01 = f64x2.splat(0)
  let c10 = f64x2.splat(0)
  let c11 = f64x2.splat(0)
  let c20 = f64x2.splat(0)
  let c21 = f64x2.splat(0)
  let c30 = f64x2.splat(0)
  let c31 = f64x2.splat(0)
  for (const end = a + (<usize>k << 5); a < end; a += 32, b += 32) {
    const b0 = v128.load(b)
    const b1 = v128.load(b, 16)
    let x = v128.load64_splat(a)
    c00 = f64x2.add(c00, f64x2.mul(x, b0))
    c01 = f64x2.add(c01, f64x2.mul(x, b1))
    x = v128.load64_splat(a, 8)
    c10 = f64x2.add(c10, f64x2.mul(x, b0))
    c11 = f64x2.add(c11, f64x2.mul(x, b1))
    x = v128.load64_splat(a, 16)
    c20 = f64x2.add(c20, f64x2.mul(x, b0))
    c21 = f64x2.add(c21, f64x2.mul(x, b1))
    x = v128.load64_splat(a, 24)
    c30 = f64x2.add(c30, f64x2.mul(x, b0))
    c31 = f64x2.add(c31, f64x2.mul(x, b1))
  }
  v128.store(c, f64x2.add(v128.load(c), c00))
  v128.store(c, f64x2.add(v128.load(c, 16), c01), 16)
  c += ldc
  v128.store(c, f64x2.add(v128.load(c), c10))
  v128.store(c, f64x2.add(v128.load(c, 16), c11), 16)
  c += ldc
  v128.store(c, f64x2.add(v128.load(c), c20))
  v128.store(c, f64x2.add(v128.load(c, 16), c21), 16)
  c += ldc
  v128.store(c, f64x2.add(v128.load(c), c30))
  v128.store(c, f64x2.add(v128.load(c, 16), c31), 16)
}

/** Panels of `m` by `n` (multiples of 4) over a depth of `k`. */
export function panels(a: usize, b: usize, c: usize, m: i32, k: i32, n: i32): void {
  const ldc = <usize>n << 3
  for (let j = 0; j < n; j += 4)
    for (let i = 0; i < m; i += 4) {
      const to = c + <usize>i * ldc + (<usize>j << 3)
      block(a + ((<usize>i * k) << 3), b + ((<usize>j * k) << 3), to, k, ldc)
    }
}

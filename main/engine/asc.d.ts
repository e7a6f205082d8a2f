declare module '*.as.ts?asc' {
  /** WebAssembly bytes of an AssemblyScript file; instantiate with `{ env: { memory } }`. */
  const bytes: Uint8Array<ArrayBuffer>
  export default bytes
}

// Types of imports that the build makes: compiled AssemblyScript.
declare module '*.as.ts?asc' {
  /** WebAssembly bytes of an AssemblyScript file; instantiate with `{ env: { memory } }`. */
  const bytes: Uint8Array<ArrayBuffer>
  export default bytes
}

/** The part of WebAssembly that the engine uses; it is in no library that the engine may see. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  interface Module {}
  interface Instance {
    readonly exports: Record<string, unknown>
  }
  var Memory: { prototype: Memory; new (descriptor: { initial: number; maximum?: number }): Memory }
  var Module: { prototype: Module; new (bytes: Uint8Array<ArrayBuffer>): Module }
  var Instance: {
    prototype: Instance
    new (module: Module, imports?: Record<string, Record<string, unknown>>): Instance
  }
}

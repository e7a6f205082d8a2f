// Doors of the engine's folders only re-export: what nobody uses behind a door is left out of a build, and what
// only some entries use stays out of the others. Only the worker's entry acts when it is loaded.
export default {
  moduleSideEffects: [{ test: /main[\\/]engine[\\/](?!threads[\\/]worker)/, sideEffects: false }],
}

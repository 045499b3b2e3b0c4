/** Patches: JSON patch, JSON merge patch and strategic merge patch, each without touching what it is applied to. */
export { goText, goTypeOf } from './go-text.ts'
export { applyJsonPatch, maximumJsonPatchCopyBytes, maximumJsonPatchOperations } from './json-patch.ts'
export { applyMergePatch } from './merge-patch.ts'
export { applyStrategicMergePatch } from './strategic-merge.ts'

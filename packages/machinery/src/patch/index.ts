/** JSON patch, JSON merge patch and strategic merge patch. None of them modifies its inputs. */
export { goText, goTypeOf } from './go-text.ts'
export { applyJsonPatch } from './json-patch.ts'
export { applyMergePatch } from './merge-patch.ts'
export { applyStrategicMergePatch } from './strategic-merge.ts'

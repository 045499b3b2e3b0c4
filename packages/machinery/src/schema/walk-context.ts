import type { StatusCause } from '../status/index.ts'

/** Where a walk over a value is, and what it found. The path is put together only when there is something to say. */
export interface WalkContext {
  readonly path: (string | number | { readonly key: string })[]
  readonly causes: StatusCause[]
}

/** A context at the top of an object. */
export function walkFromTop(): WalkContext {
  return { path: [], causes: [] }
}

/** A path as Kubernetes writes it: `spec.ports[0].name`, `spec.labels[a/b]`. */
export function pathText(path: WalkContext['path']): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (typeof part === 'object') text += `[${part.key}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}

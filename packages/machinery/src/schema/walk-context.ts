import type { StatusCause } from '../status/index.ts'

/** The position of a walk over a value, and the problems found. The path is formatted only when a problem is reported. */
export interface WalkContext {
  readonly path: (string | number | { readonly key: string })[]
  readonly causes: StatusCause[]
}

export function walkFromTop(): WalkContext {
  return { path: [], causes: [] }
}

/** Formats a path as Kubernetes does: `spec.ports[0].name`, `spec.labels[a/b]`. */
export function pathText(path: WalkContext['path']): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (typeof part === 'object') text += `[${part.key}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}

import type { Verb } from '@hykube/machinery/resource-type'

/** A path or query parameter. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly type: 'string' | 'integer' | 'boolean'
}

/** Parameters of every operation on a path: the path's own and `pretty`. */
export function pathParameters(path: string): Parameter[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return [...named.sort().map((name): Parameter => ({ name, in: 'path', type: 'string' })), query.pretty!]
}

/** Additional parameters of a verb. */
export function verbParameters(verb: Verb): readonly Parameter[] {
  return byVerb[verb] ?? []
}

/** All query parameters by name. */
export const query: Readonly<Record<string, Parameter>> = Object.fromEntries(
  Object.entries({
    string: [
      'continue',
      'dryRun',
      'fieldManager',
      'fieldSelector',
      'fieldValidation',
      'labelSelector',
      'pretty',
      'propagationPolicy',
      'resourceVersion',
      'resourceVersionMatch',
    ],
    integer: ['gracePeriodSeconds', 'limit', 'timeoutSeconds'],
    boolean: ['allowWatchBookmarks', 'force', 'orphanDependents', 'sendInitialEvents', 'watch'],
  } as const).flatMap(([type, names]) =>
    names.map((name): [string, Parameter] => [name, { name, in: 'query', type: type as Parameter['type'] }]),
  ),
)

const write = ['dryRun', 'fieldManager', 'fieldValidation']
const deletion = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy']
const selection = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
]

const byVerb: Readonly<Partial<Record<Verb, readonly Parameter[]>>> = {
  create: parameters(write),
  update: parameters(write),
  patch: parameters([...write, 'force']),
  delete: parameters(deletion),
  deletecollection: parameters([...deletion, ...selection]),
  list: parameters(['allowWatchBookmarks', ...selection, 'watch']),
}

function parameters(names: readonly string[]): Parameter[] {
  return names.toSorted().map((name) => query[name]!)
}

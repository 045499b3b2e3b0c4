import { decodeKey, encodeKey, type Group, type Operation, type Store } from '@hykube/server/storage'

/** Marks of objects by kind, and those of Providers and of their further configurations. */
export type MarkName = 'written' | 'unsettled' | 'outputs' | 'provider' | 'configuration'

/** A store in which marks of one kind are never found: they are kept where nobody looks. */
export function losingMarks(lost: MarkName): (store: Store) => Store {
  return (store) =>
    new Proxy(store, {
      get: (target, name) => {
        const value = target[name as keyof Store] as unknown
        if (typeof value !== 'function') return value
        if (name !== 'commit') return value.bind(target)
        return (group: Group) =>
          target.commit({ ...group, operations: group.operations.map((operation) => misplaced(operation, lost)) })
      },
    })
}

function misplaced(operation: Operation, lost: MarkName): Operation {
  if (operation.kind !== 'put') return operation
  const { space, segments } = decodeKey(operation.key)
  if (space !== 'marks') return operation
  const [cluster = '', kind = '', ...rest] = segments
  const [, node = ''] = rest
  const name = node.startsWith('hykube.io/providers/')
    ? 'provider'
    : node.startsWith('hykube.io/')
      ? 'configuration'
      : kind
  if (name !== lost) return operation
  // Without the precondition, because the server must believe that the mark does not exist.
  const { expect: _, ...put } = operation
  return { ...put, key: encodeKey(space, [`lost-${cluster}`, kind, ...rest]) }
}

import { fieldSetOf } from './field-set.ts'
import { fieldElement } from './path-element.ts'

/** Fields without an owner: the identity of an object, and the fields that the server sets. Kubernetes' list. */
export const untrackedFields = fieldSetOf(
  ...[
    ['apiVersion'],
    ['kind'],
    ['metadata'],
    ...[
      'name',
      'namespace',
      'creationTimestamp',
      'selfLink',
      'uid',
      'clusterName',
      'generation',
      'managedFields',
      'resourceVersion',
    ].map((name) => ['metadata', name]),
  ].map((path) => path.map(fieldElement)),
)

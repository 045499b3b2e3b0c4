import { fieldSetOf } from './field-set.ts'
import { fieldElement } from './path-element.ts'

/** What nobody owns: what an object is told by, and what the server sets. */
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

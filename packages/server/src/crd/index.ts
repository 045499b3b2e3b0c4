/** Custom resource definitions: validation, names, served types, and deletion of their objects. */

export { deleteObjects } from './cleanup.ts'
export { customResourceTypes } from './custom-resource-type.ts'
export { DefinedTypes } from './defined-types.ts'
export { type Definition, definitionFrom } from './definition.ts'
export { withDefinitionBehaviour } from './definition-type.ts'

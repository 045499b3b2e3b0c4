/** The thinking: what changes, why and in which order. Deterministic; whatever it must know it asks for through ports. */
export { DependencyGraph, type Edges } from './dependency-graph.ts'
export { findCycle } from './find-cycle.ts'
export { creationOrder, deletionOrder } from './walk-order.ts'

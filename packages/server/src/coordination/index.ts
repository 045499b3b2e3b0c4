/** Leases that decide which of several servers on one store does the work that only one may do. */
export { FencedOff, fencedStore } from './fenced-store.ts'
export { Leases, leaseSpace } from './leases.ts'
export { whileHolding } from './while-holding.ts'

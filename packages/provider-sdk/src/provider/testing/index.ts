/** Test support for providers: the computation of the proposed new state, which is the host's part of planning. */
export { proposedNew } from './proposed-new.ts'

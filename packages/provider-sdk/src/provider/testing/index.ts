/** What tests of providers need: the part of a host that proposes. */
export { proposedNew } from './proposed-new.ts'

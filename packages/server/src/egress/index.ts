/** Decides which external addresses the server connects to on behalf of users. */
export { EgressGuard, EgressRefused } from './egress-guard.ts'

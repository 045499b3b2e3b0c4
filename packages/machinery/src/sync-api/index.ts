/** The API of sync policies: types and schema, shared by the server and its clients. */

export { comparePrecedence } from './precedence.ts'
export {
  checkRequest,
  lifecycleModes,
  type SyncLimits,
  type SyncMode,
  type SyncPolicySpec,
  type SyncPolicyStatus,
  type SyncTrigger,
  type SyncWindow,
} from './sync-policy.ts'
export { syncSpecSchema, syncStatusSchema } from './sync-schema.ts'

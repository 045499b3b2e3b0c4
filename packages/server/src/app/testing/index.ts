export { adminKubeconfig } from '../../auth/index.ts'
/** The whole server without sockets, for tests: the real API, planner, applier and provider processes. */
export { type InterceptedCall, InterceptedProviders, type Interceptor } from './intercepted-providers.ts'
export { TestEngine, type TestEngineOptions } from './test-engine.ts'
export { TestServer } from './test-server.ts'
export { TestSim } from './test-sim.ts'

/** Shared test helpers for controllers. */
export { FakeWorld } from './fake-world.ts'

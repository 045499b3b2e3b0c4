/** What tests of controllers share. */
export { FakeWorld } from './fake-world.ts'

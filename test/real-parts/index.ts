/** Real clients, servers and programs for tests: locates and obtains them, and reports missing ones. */
export { describeWith } from './describe-with.ts'

/** Real clients, servers and programs for tests: one place that looks for them, gets them and says what is missing. */
export { describeWith } from './describe-with.ts'

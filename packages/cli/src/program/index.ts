/** The program: its commands, their help, and how it ends. */
export { run } from './run.ts'

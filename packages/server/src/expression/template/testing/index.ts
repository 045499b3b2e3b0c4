/** Scopes in memory, for tests of what uses templates. */
export { type TableObject, TableScope, type TableSurroundings } from './table-scope.ts'

/** In-memory scopes for tests of templates. */
export { type TableObject, TableScope, type TableSurroundings } from './table-scope.ts'

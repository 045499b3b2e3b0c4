/** Parts for tests of other rooms that need a database server. */
export { findPostgres, type PostgresSearch, PostgresServer, type PostgresServerOptions } from './postgres-server.ts'

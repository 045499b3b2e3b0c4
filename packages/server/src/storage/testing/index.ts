/** What tests outside the room need to run stores: servers of one's own. */
export { findPostgres, type PostgresSearch, PostgresServer, type PostgresServerOptions } from './postgres-server.ts'

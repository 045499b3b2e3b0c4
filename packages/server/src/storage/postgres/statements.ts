import type { Statement } from './session.ts'

/** Kinds of log rows. A put of an absent key is a `create`: its `previous` is an old delete or null. */
export const rowKind = { put: 1, create: 2, delete: 3 } as const

/**
 * The statements of a store, prepared once per connection. Tables and functions are schema-qualified: another role may
 * create functions in `public` that match a call better than the built-in one, and they would run with the permissions
 * of this role.
 */
export type Statements = ReturnType<typeof createStatements>

export function createStatements(schema: string) {
  const counter = `${schema}.counter`
  const log = `${schema}.log`
  const current = `${schema}.current`
  const plain = `${schema}.plain`
  const batch = `${schema}.batch`
  // The identity of the store is in the same row as its counter, so checking it costs no round trip. $1 is the revision
  // of the last batch that this server saw. A deleted key leaves `current` before its row leaves the log.
  const state = `n.revision AS now, n.compacted, n.incarnation, n.tableoid::int8 AS place,
    n.batch, n.token, (SELECT b.token FROM ${batch} b WHERE b.revision = $1::int8) AS known,
    n.logged = 0 OR EXISTS (
      SELECT 1 FROM ${log} l WHERE l.revision = n.logged
        AND (l.kind = ${rowKind.delete} OR EXISTS (SELECT 1 FROM ${current} c WHERE c.key = l.key))
    ) AS whole`
  return {
    // Commits. The counter is locked first; rows read afterwards cannot change until this commit.
    lockCounter: statement('lock', `SELECT revision AS now FROM ${counter} WHERE id = 1 FOR UPDATE`),
    currentOf: statement('current', `SELECT key, revision, deleted FROM ${current} WHERE key = ANY($1::bytea[])`),
    plainOf: statement('plain', `SELECT key, revision FROM ${plain} WHERE key = ANY($1::bytea[])`),
    insertLog: statement(
      'insert-log',
      `INSERT INTO ${log} (revision, last, key, kind, previous, tag, value)
       SELECT * FROM ${rows('int8[]', 'int8[]', 'bytea[]', 'int4[]', 'int8[]', 'int4[]', 'bytea[]')}`,
    ),
    upsertCurrent: statement(
      'upsert-current',
      `INSERT INTO ${current} (key, revision, deleted) SELECT * FROM ${rows('bytea[]', 'int8[]', 'bool[]')}
       ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, deleted = excluded.deleted`,
    ),
    deletePlainSpan: statement('delete-span', `DELETE FROM ${plain} WHERE key >= $1::bytea AND key < $2::bytea`),
    deletePlain: statement('delete-plain', `DELETE FROM ${plain} WHERE key = ANY($1::bytea[])`),
    upsertPlain: statement(
      'upsert-plain',
      `INSERT INTO ${plain} (key, revision, tag, value)
       SELECT * FROM ${rows('bytea[]', 'int8[]', 'int4[]', 'bytea[]')}
       ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, tag = excluded.tag, value = excluded.value`,
    ),
    setCounter: statement(
      'set-counter',
      `WITH b AS (INSERT INTO ${batch} (revision, token, made) VALUES ($1::int8, $2::int8, pg_catalog.now()))
       UPDATE ${counter} SET revision = $1::int8, batch = $1::int8, token = $2::int8,
         logged = COALESCE($3::int8, logged) WHERE id = 1`,
    ),
    setWriter: statement(
      'set-writer',
      `INSERT INTO ${schema}.writer (id, batch, touched) VALUES ($1::text, $2::int8, pg_catalog.now())
       ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, touched = excluded.touched`,
    ),
    writerBatch: statement('writer-batch', `SELECT batch FROM ${schema}.writer WHERE id = $1::text`),
    notify: statement('notify', 'SELECT pg_catalog.pg_notify($1::text, $2::text)'),
    endSession: statement(
      'end-session',
      'SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity WHERE application_name = $1::text AND pid <> pg_catalog.pg_backend_pid()',
    ),

    // Reads. The counter is part of each result, from the same snapshot.
    counter: statement('counter', `SELECT ${state} FROM ${counter} n WHERE id = 1`),
    get: statement(
      'get',
      `SELECT l.revision, l.tag, l.value FROM ${current} c JOIN ${log} l ON l.revision = c.revision
       WHERE c.key = $1::bytea AND NOT c.deleted`,
    ),
    getPlain: statement('get-plain', `SELECT revision, tag, value FROM ${plain} WHERE key = $1::bytea`),
    getAt: statement(
      'get-at',
      `SELECT n.revision AS now, n.compacted, c.revision, e.key AS exact_key, e.kind AS exact_kind, e.tag, e.value
       FROM ${counter} n LEFT JOIN ${current} c ON c.key = $1::bytea
       LEFT JOIN ${log} e ON e.revision = $2::int8 WHERE n.id = 1`,
    ),
    scan: statement(
      'scan',
      `SELECT n.revision AS now, n.compacted, s.key, s.revision, s.tag, s.value FROM ${counter} n LEFT JOIN LATERAL (
         SELECT c.key, c.revision, l.tag, l.value FROM ${current} c JOIN ${log} l ON l.revision = c.revision
         WHERE c.key >= $1::bytea AND c.key < $2::bytea AND NOT c.deleted ORDER BY c.key LIMIT $3::int8
       ) s ON true WHERE n.id = 1 ORDER BY s.key`,
    ),
    // Rows changed after the revision are returned without a value: their value at it is found by following `previous`.
    scanAt: statement(
      'scan-at',
      `SELECT n.revision AS now, n.compacted, s.key, s.revision, s.tag, s.value FROM ${counter} n LEFT JOIN LATERAL (
         SELECT c.key, c.revision, l.tag, l.value FROM ${current} c
         LEFT JOIN ${log} l ON l.revision = c.revision AND c.revision <= $4::int8
         WHERE c.key >= $1::bytea AND c.key < $2::bytea AND NOT (c.deleted AND c.revision <= $4::int8)
         ORDER BY c.key LIMIT $3::int8
       ) s ON true WHERE n.id = 1 ORDER BY s.key`,
    ),
    scanPlain: statement(
      'scan-plain',
      `SELECT n.revision AS now, n.compacted, s.key, s.revision, s.tag, s.value FROM ${counter} n LEFT JOIN LATERAL (
         SELECT key, revision, tag, value FROM ${plain} WHERE key >= $1::bytea AND key < $2::bytea
         ORDER BY key LIMIT $3::int8
       ) s ON true WHERE n.id = 1 ORDER BY s.key`,
    ),
    walkBack: statement(
      'walk-back',
      `WITH RECURSIVE walk(start, revision) AS (
         SELECT r, r FROM pg_catalog.unnest($1::int8[]) AS r
         UNION ALL
         SELECT w.start, l.previous FROM walk w JOIN ${log} l ON l.revision = w.revision
         WHERE w.revision > $2::int8 AND l.previous IS NOT NULL
       )
       SELECT n.compacted, s.start, s.revision, s.kind, s.tag, s.value FROM ${counter} n LEFT JOIN (
         SELECT w.start, l.revision, l.kind, l.tag, l.value FROM walk w JOIN ${log} l ON l.revision = w.revision
         WHERE w.revision <= $2::int8
       ) s ON true WHERE n.id = 1`,
    ),
    currentKeys: statement(
      'current-keys',
      `SELECT key, revision, deleted FROM ${current} WHERE key >= $1::bytea AND key < $2::bytea
       ORDER BY key LIMIT $3::int8`,
    ),
    plainKeys: statement(
      'plain-keys',
      `SELECT key, revision, false AS deleted FROM ${plain} WHERE key >= $1::bytea AND key < $2::bytea
       ORDER BY key LIMIT $3::int8`,
    ),
    logRows: statement('log-rows', `SELECT revision, tag, value FROM ${log} WHERE revision = ANY($1::int8[])`),
    plainRows: statement(
      'plain-rows',
      `SELECT key, revision, tag, value FROM ${plain} WHERE key = ANY($1::bytea[]) ORDER BY key`,
    ),
    countCurrent: statement(
      'count-current',
      `SELECT pg_catalog.count(*) AS count FROM ${current} WHERE key >= $1::bytea AND key < $2::bytea AND NOT deleted`,
    ),
    countPlain: statement(
      'count-plain',
      `SELECT pg_catalog.count(*) AS count FROM ${plain} WHERE key >= $1::bytea AND key < $2::bytea`,
    ),

    // Following, about a megabyte at a time; the row that exceeds it is the last.
    readLog: statement(
      'read-log',
      `SELECT ${state}, s.* FROM ${counter} n LEFT JOIN LATERAL (
         SELECT * FROM (
           SELECT revision, last, key, kind, previous, tag, value,
             pg_catalog.sum(pg_catalog.octet_length(value)) OVER (ORDER BY revision) - pg_catalog.octet_length(value) AS before
           FROM (
             SELECT * FROM ${log} WHERE revision > $5::int8 AND revision <= $4::int8 ORDER BY revision LIMIT $2::int8
           ) a
         ) b WHERE before < $3::int8
       ) s ON true WHERE n.id = 1 ORDER BY s.revision`,
    ),
    readGroup: statement(
      'read-group',
      `SELECT revision, last, key, kind, previous, tag, value FROM ${log}
       WHERE revision > $1::int8 AND revision <= $2::int8 ORDER BY revision`,
    ),

    // Compaction: first the compacted revision is raised, then unreachable rows are deleted in steps.
    raiseCompacted: statement(
      'raise-compacted',
      `UPDATE ${counter} SET compacted = $1::int8 WHERE id = 1 AND compacted < $1::int8 AND revision >= $1::int8`,
    ),
    compactionState: statement(
      'compaction-state',
      `SELECT revision AS now, compacted, cleaned FROM ${counter} WHERE id = 1`,
    ),
    compactionStep: statement(
      'compaction-step',
      `SELECT revision, key, kind, previous FROM ${log} WHERE revision > $1::int8 AND revision <= $2::int8
       ORDER BY revision LIMIT $3::int8`,
    ),
    // The counter names the newest row of the log; when that row is deleted it names none until the next write.
    deleteLog: statement(
      'delete-log',
      `WITH gone AS (DELETE FROM ${log} WHERE revision = ANY($1::int8[]) RETURNING revision)
       UPDATE ${counter} SET logged = 0 WHERE id = 1 AND logged IN (SELECT revision FROM gone)`,
    ),
    // A server that was disconnected for this long cannot verify any more that the database is the same.
    deleteBatches: statement(
      'delete-batches',
      `DELETE FROM ${batch} WHERE revision < $1::int8 AND made < pg_catalog.now() - interval '1 hour'
         AND revision < (SELECT n.batch FROM ${counter} n WHERE n.id = 1)`,
    ),
    deleteTombstones: statement(
      'delete-tombstones',
      `DELETE FROM ${current} WHERE key = ANY($1::bytea[]) AND deleted AND revision <= $2::int8`,
    ),
    setCleaned: statement(
      'set-cleaned',
      `UPDATE ${counter} SET cleaned = $1::int8 WHERE id = 1 AND cleaned < $1::int8`,
    ),

    // Rotation. Log rows never change except for their encryption, so no lock is needed.
    sealedLog: statement(
      'sealed-log',
      `SELECT revision, key, value FROM ${log}
       WHERE revision > $1::int8 AND revision <= $2::int8 AND key >= $3::bytea AND key < $4::bytea
       ORDER BY revision LIMIT $5::int8`,
    ),
    resealLog: statement('reseal-log', `UPDATE ${log} SET value = $2::bytea WHERE revision = $1::int8`),
    sealedPlain: statement(
      'sealed-plain',
      `SELECT key, revision, value FROM ${plain} WHERE key > $1::bytea AND key < $2::bytea ORDER BY key LIMIT $3::int8`,
    ),
    resealPlain: statement(
      'reseal-plain',
      `UPDATE ${plain} SET value = $3::bytea WHERE key = $1::bytea AND revision = $2::int8`,
    ),

    tableBytes: statement(
      'table-bytes',
      ['log', 'current', 'plain']
        .map((table) => `pg_catalog.pg_total_relation_size('${schema}.${table}'::regclass) AS ${table}`)
        .join(', ')
        .replace(/^/, 'SELECT '),
    ),
    countKeys: statement(
      'count-keys',
      `SELECT (SELECT pg_catalog.count(*) FROM ${current} WHERE NOT deleted) + (SELECT pg_catalog.count(*) FROM ${plain}) AS count`,
    ),
  }
}

/** Builds rows from one array parameter per column. */
function rows(...types: readonly string[]): string {
  return `ROWS FROM (${types.map((type, at) => `pg_catalog.unnest($${at + 1}::${type})`).join(', ')})`
}

function statement(name: string, text: string): Statement {
  return { name: `hykube-${name}`, text }
}

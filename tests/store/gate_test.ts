/** Tests of lib/store/gate.ts and walk.ts: what passes and what does not. @module */

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { LoomError } from "../../lib/errors.ts";
import { TYPE_DEPTH_MAX } from "../../lib/store/cast_types.ts";
import { withGate } from "../support/gate_rig.ts";
import { verifies } from "../support/verifies.ts";

const READS: readonly string[] = [
  "SELECT * FROM ds_a_1",
  "FROM ds_a_1",
  "FROM ds_a_1 SELECT id",
  "TABLE ds_a_1",
  "VALUES (1), (2)",
  "(SELECT 1) UNION ALL (SELECT 2)",
  "WITH x AS (SELECT 1 AS a) SELECT * FROM x",
  "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT * FROM t",
  "WITH a AS (SELECT 1), b AS (SELECT * FROM a) SELECT * FROM b, a",
  "DESCRIBE ds_a_1",
  "DESCRIBE SELECT 1",
  "SUMMARIZE ds_a_1",
  "SHOW TABLES",
  "SHOW ALL TABLES",
  "SELECT * FROM (DESCRIBE ds_a_1)",
  "SELECT * FROM (SHOW TABLES)",
  "PIVOT ds_a_1 ON ok IN (true, false) USING count(*)",
  "SELECT * FROM ds_a_1 PIVOT (count(*) FOR ok IN (true, false))",
  "UNPIVOT ds_a_1 ON a, b",
  "SELECT * FROM ds_a_1 a JOIN ds_b_2 b USING (id) LEFT JOIN LATERAL (SELECT a.id) ON true",
  "SELECT a, count(*) FILTER (WHERE b > 1) FROM ds_a_1 GROUP BY ALL HAVING count(*) > 1 QUALIFY row_number() OVER (ORDER BY a) = 1 ORDER BY ALL",
  "SELECT sum(x) OVER (PARTITION BY y ORDER BY z ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM ds_a_1",
  "SELECT list_transform([1, 2], lambda x: x + 1), [x FOR x IN [1]], {'a': 1}, MAP {'a': 1}, [1][1], 'a'[1:2]",
  "SELECT x::DECIMAL(18,2), TRY_CAST(x AS DATE), x::JSON, x::ENUM('a', 'b'), x::STRUCT(a INT, b VARCHAR[]) FROM ds_a_1",
  "SELECT j->'$.a', j->>'$.b', json_extract(j, '$.c') FROM ds_a_1",
  "SELECT * EXCLUDE (a) REPLACE (b + 1 AS b), COLUMNS('c.*') FROM ds_a_1",
  "SELECT EXTRACT(year FROM d), d + INTERVAL 1 DAY, date_trunc('month', d), d AT TIME ZONE 'UTC' FROM ds_a_1",
  "SELECT a LIKE 'x%', a ILIKE '%x%', a SIMILAR TO 'x', a GLOB 'x*', a ~ 'x', regexp_replace(a, 'x', 'y') FROM ds_a_1",
  "SELECT CASE WHEN a BETWEEN 1 AND 2 THEN 1 END, a IN (1, 2), EXISTS (SELECT 1), coalesce(a, 1), a IS DISTINCT FROM 2 FROM ds_a_1",
  "SELECT * FROM range(5), generate_series(1, 3) g(i), unnest([1, 2]) u(x), json_each('{}')",
  "SELECT count(*) FROM ds_a_1 USING SAMPLE 10%",
  "SELECT * FROM ds_a_1 ORDER BY x LIMIT 10 OFFSET 5",
  "SELECT * FROM main.ds_a_1, memory.main.ds_b_2, DS_A_1 AS upper",
  "SELECT table_name FROM information_schema.tables",
  "SELECT x COLLATE nocase, #1 FROM ds_a_1",
  "SELECT 1;;;",
  ";SELECT 1",
  "-- a comment\nSELECT 1 /* and /* another */ */",
  "SELECT * FROM ds_a_1 ASOF JOIN ds_b_2 USING (id)",
  "SELECT 1 UNION BY NAME SELECT 2 EXCEPT SELECT 3",
  "SELECT GROUPING(a) FROM ds_a_1 GROUP BY ROLLUP (a)",
  "SELECT unnest(l), unnest(s, recursive := true), unlist(m) FROM ds_a_1",
  "SELECT * FROM (SELECT unnest(range(3)) AS i) WHERE i > 1",
  "SELECT 1 = ANY ([1, 2]), 1 = ANY (SELECT b FROM ds_b_2)",
  "SELECT a.upper().substr(1, 3), t.a.length(), l.list_transform(lambda x: x.abs()) FROM ds_a_1 t",
  "SELECT fill(a) OVER (ORDER BY b) FROM ds_a_1",
  "SELECT 1e400, -1e400",
  "SELECT a LIKE '%a%b%c%d%e%f%', a LIKE b FROM ds_a_1",
  "SHOW TABLES FROM main",
  "SHOW TABLES FROM memory",
  "SHOW TABLES FROM memory.main",
];

verifies("GATE-2 GATE-3", "Gate.check() lets every form of reading pass", async () => {
  await withGate(async (check) => {
    for (const sql of READS) equal((await check(sql)).sql, sql);
  });
});

const WRITES: readonly string[] = [
  "",
  "   ",
  ";",
  "-- only a comment",
  "SELECT 1; SELECT 2",
  "SELECT 1; DROP TABLE ds_a_1",
  "DELETE FROM ds_a_1",
  "UPDATE ds_a_1 SET a = 1",
  "INSERT INTO ds_a_1 VALUES (1)",
  "TRUNCATE ds_a_1",
  "CREATE TABLE x (a INT)",
  "CREATE TABLE x AS SELECT 1",
  "CREATE MACRO f(a) AS a",
  "CREATE VIEW v AS SELECT 1",
  "DROP TABLE ds_a_1",
  "ALTER TABLE ds_a_1 ADD COLUMN x INT",
  "ATTACH ':memory:' AS x",
  "DETACH memory",
  "USE memory",
  "COPY ds_a_1 TO 'x.csv'",
  "COPY ds_a_1 FROM 'x.csv'",
  "EXPORT DATABASE 'x'",
  "IMPORT DATABASE 'x'",
  "INSTALL httpfs",
  "LOAD httpfs",
  "SET threads = 1",
  "RESET threads",
  "PRAGMA threads = 1",
  "SET VARIABLE x = 1",
  "CALL pragma_version()",
  "PREPARE p AS SELECT 1",
  "EXECUTE p",
  "BEGIN",
  "COMMIT",
  "VACUUM",
  "CHECKPOINT",
  "EXPLAIN SELECT 1",
  "EXPLAIN ANALYZE DELETE FROM ds_a_1",
  "WITH x AS (SELECT 1) DELETE FROM ds_a_1",
  "MERGE INTO ds_a_1 USING ds_b_2 ON true WHEN MATCHED THEN DELETE",
  "COMMENT ON TABLE ds_a_1 IS 'x'",
];

verifies("GATE-2 GATE-9", "Gate.check() refuses everything else and says what is possible", async () => {
  await withGate(async (check) => {
    for (const sql of WRITES) {
      await rejects(check(sql), (error: unknown) => {
        ok(error instanceof LoomError && error.code === "QUERY_REJECTED", `${sql}: ${error}`);
        match(error.message, /one statement that reads: SELECT, WITH, FROM/, sql);
        return true;
      });
    }
    await rejects(check("SELEC 1"), /syntax error at or near "SELEC" \(at character 1\)/);
  });
});

verifies("GATE-3", "a PIVOT without its values is answered with the form that works", async () => {
  await withGate(async (check) => {
    for (const sql of ["PIVOT ds_a_1 ON ok USING count(*)", "SELECT * FROM (PIVOT ds_a_1 ON ok USING count(*))"]) {
      await rejects(check(sql), /PIVOT ds_… ON column IN \('a', 'b'\)/);
    }
  });
});

verifies("GATE-4", "Gate.check() knows which datasets are read, and refuses other tables", async () => {
  await withGate(async (check) => {
    deepEqual((await check("SELECT * FROM ds_a_1 JOIN DS_B_2 USING (id)")).refs, ["ds_a_1", "ds_b_2"]);
    deepEqual((await check("WITH ds_a_1 AS (SELECT 1) SELECT * FROM ds_a_1")).refs, []);
    deepEqual((await check("SELECT 1 WHERE EXISTS (FROM ds_b_2)")).refs, ["ds_b_2"]);
    for (
      const name of [
        "nope",
        "'/etc/passwd'",
        "'data.csv'",
        "duckdb_settings",
        "sqlite_master",
        "pg_catalog.pg_class",
        "information_schema.schemata",
        "system.information_schema.tables",
      ]
    ) await rejects(check(`SELECT * FROM ${name}`), /No dataset is called/, name);
    for (const name of ["other.ds_a_1", "x.main.ds_a_1", "temp.ds_a_1", "system.main.ds_a_1"]) {
      await rejects(check(`SELECT * FROM ${name}`), /no ".*" with datasets in it; write the name alone: ds_a_1/, name);
    }
    await rejects(check("FROM information_schema.schemata"), /No dataset is called "information_schema\.schemata"/);
  });
});

verifies("GATE-6", "types that crash are refused wherever they stand, to the bound of their depth", async () => {
  await withGate(async (check) => {
    for (
      const type of [
        "VARIANT",
        "GEOMETRY",
        "BIGNUM",
        "VARINT",
        "VARIANT[]",
        "STRUCT(a INT, b VARIANT)",
        "MAP(INT, VARIANT)",
        "UNION(a INT, b VARIANT)",
        "VARIANT[3]",
        "GEOMETRY('EPSG:4326')",
        "nosuch",
        "main.x",
      ]
    ) await rejects(check(`SELECT NULL::${type}`), /type .* is not allowed|a type with a schema/, type);
    await check(`SELECT NULL::INT${"[]".repeat(TYPE_DEPTH_MAX)}`);
    await rejects(check(`SELECT NULL::INT${"[]".repeat(TYPE_DEPTH_MAX + 1)}`), /nested deeper than 32/);
  });
});

verifies("GATE-5 GATE-9", "functions that are refused name another way where there is one", async () => {
  await withGate(async (check) => {
    await rejects(check("SELECT json_structure(a) FROM ds_a_1"), /json_keys and json_type/);
    await rejects(check("SELECT * FROM read_csv('x')"), /only datasets can be read/);
    await rejects(check("SELECT nosuch(1)"), /"nosuch" is not known/);
    await rejects(check("SELECT toString(1)"), /"tostring" is not known/);
    await rejects(check("SELECT * FROM constructor(1)"), /"constructor" is not known in FROM/);
    await rejects(check("SELECT range(5) OVER () FROM ds_a_1, duckdb_tables()"), /SHOW TABLES/);
    await rejects(check("SELECT histogram(a) OVER () FROM ds_a_1"), /cannot be used with OVER/);
    await rejects(check("SELECT list_transform([1], lambda x: range(x))"), /inside a lambda/);
    await rejects(check("SELECT system.main.abs(1)"), /without a schema/);
    await rejects(check("SELECT list_aggregate(a, 'reservoir_quantile', 0.5, 9) FROM ds_a_1"), /quantile_cont/);
    await rejects(check("SELECT a.reservoir_quantile(0.5, 1000000000) FROM ds_a_1"), /literal sample size/);
    await rejects(check("SELECT $1"), /parameters/);
  });
});

verifies("GATE-5 GATE-8", "a call on a column is judged as the call that it stands for", async () => {
  await withGate(async (check) => {
    await rejects(check("SELECT a.getenv() FROM ds_a_1"), /"getenv" is not known/);
    await rejects(check("SELECT a.write_log() FROM ds_a_1"), /"write_log" is not allowed/);
    await rejects(check("SELECT t.a.current_setting() FROM ds_a_1 t"), /"current_setting" is not allowed/);
    // The column is the first argument: the format is no literal, and what looks like one is the value.
    await rejects(check("SELECT a.format('x') FROM ds_a_1"), /format as a literal/);
    await rejects(check("SELECT a.list_aggregate('error') FROM ds_a_1"), /name of an allowed aggregate/);
    await check("SELECT a.list_aggregate('sum'), a.lag(1) FROM ds_a_1");
    await rejects(check("SELECT list_transform([1], lambda x: x.range())"), /inside a lambda/);
    for (const schema of ["system", "SYSTEM", "pg_catalog", "temp", "memory", "information_schema", "system.main"]) {
      await rejects(check(`SELECT ${schema}.repeat('x', 9)`), /without a schema/, schema);
    }
    await rejects(check("SELECT * FROM a.range(3)"), /without a schema/);
    await rejects(check("SELECT a.row_number() OVER () FROM ds_a_1"), /without a schema/);
  });
});

verifies("GATE-9", "what other databases write is answered with how DuckDB writes it", async () => {
  await withGate(async (check) => {
    for (
      const [sql, says] of [
        ["SELECT `a` FROM ds_a_1", /"double quotes"/],
        ["SELECT * FROM `ds_a_1`", /"double quotes"/],
        ["SELECT [a] FROM [ds_a_1]", /"double quotes"/],
        ["SELECT TOP 10 * FROM ds_a_1", /LIMIT n/],
        ["SELECT * FROM ds_a_1 LIMIT 5, 10", /LIMIT count OFFSET skip/],
        ["SELECT * FROM ds_a_1 WHERE a REGEXP 'x'", /regexp_matches/],
        ["SELECT * EXCEPT (a) FROM ds_a_1", /EXCLUDE/],
        ["SELECT group_concat(a SEPARATOR ',') FROM ds_a_1", /string_agg/],
        ["SELECT a LIKE ANY ('x', 'y') FROM ds_a_1", /regexp_matches/],
        ["SELECT 1 BETWEEN SYMMETRIC 3 AND 0", /smaller bound first/],
        ["SELECT CAST(a AS ARRAY<STRING>) FROM ds_a_1", /BIGINT\[\]/],
        ["WITH d AS (DESCRIBE ds_a_1) SELECT * FROM d", /FROM \(SUMMARIZE/],
        ["SELECT * FROM ds-a-1", /"double quotes"/],
        ["SELECT date_format(a, '%Y') FROM ds_a_1", /strftime/],
        ["SELECT nvl(a, 1) FROM ds_a_1", /coalesce/],
        ["SELECT iif(a, 1, 2) FROM ds_a_1", /write if\(/],
        ["SELECT jsonb_array_elements(a) FROM ds_a_1", /unnest/],
        ["SELECT * FROM jsonb_each(a)", /json_each/],
        ["SELECT a ~* 'x' FROM ds_a_1", /regexp_matches/],
        ["SELECT a @@@ b FROM ds_a_1", /operators are DuckDB's/],
        ["SELECT lag(a) IGNORE NULLS OVER (ORDER BY b) FROM ds_a_1", /in the brackets/],
        ["SELECT uper(a) FROM ds_a_1", /names like it: upper/],
        ["SELECT * FROM read_ndjson_objects('x')", /only datasets can be read/],
        ["SELECT format('{:{}}', a, 3) FROM ds_a_1", /widths that stand in the format/],
        ["DELETE FROM ds_a_1", /DELETE does not read; send one statement/],
        ["WITH x AS (SELECT 1) DELETE FROM ds_a_1", /send one statement that reads/],
      ] as const
    ) await rejects(check(sql), says, sql);
  });
});

verifies("STORE-15", "Gate.check() marks SQL whose answer may differ next time", async () => {
  await withGate(async (check) => {
    for (
      const sql of [
        "SELECT random()",
        "SELECT now()",
        "FROM ds_a_1 LIMIT 5",
        "FROM ds_a_1 USING SAMPLE 5",
        "SELECT current_date",
      ]
    ) {
      equal((await check(sql)).volatile, true, sql);
    }
    for (const sql of ["FROM ds_a_1", "FROM ds_a_1 ORDER BY a LIMIT 5", "SELECT sum(a) FROM ds_a_1"]) {
      equal((await check(sql)).volatile, false, sql);
    }
  });
});

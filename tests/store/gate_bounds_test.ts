/** Tests of lib/store/gate.ts and walk.ts: both sides of each bound. @module */

import { ok, rejects } from "node:assert/strict";
import { FORMAT_CHARS_MAX, GLOB_STARS_MAX, LIKE_WILDCARDS_MAX } from "../../lib/store/calls.ts";
import { ARRAY_ITEMS_MAX } from "../../lib/store/cast_types.ts";
import { PIVOT_COLUMNS_MAX, SAMPLE_ROWS_MAX } from "../../lib/store/clauses.ts";
import {
  CTES_MAX,
  JOINS_MAX,
  LAMBDA_DEPTH_MAX,
  NODE_DEPTH_MAX,
  SET_OPERATIONS_MAX,
  SUBQUERY_DEPTH_MAX,
} from "../../lib/store/walk.ts";
import { numbers } from "../support/open_store.ts";
import { withGate } from "../support/gate_rig.ts";
import { verifies } from "../support/verifies.ts";

const subqueries = (depth: number) => `SELECT ${"(SELECT ".repeat(depth)}1${")".repeat(depth)}`;
const lambdas = (depth: number) =>
  `SELECT ${numbers(depth).map((i) => `list_transform([1], lambda x${i}: `).join("")}1${")".repeat(depth)}`;
const sums = (depth: number) => `SELECT ${Array(depth).fill("1").join("+")}`;
const ctes = (count: number) => `WITH ${numbers(count).map((i) => `c${i} AS (SELECT ${i})`).join(", ")} SELECT 1`;
/** A reference to `b` stands for 119 queries, and 2,000 are possible. */
const expanded = (references: number) =>
  `WITH a AS (SELECT 1 x) ${", b AS (SELECT * FROM " + Array(40).fill("a").join(" UNION ALL SELECT * FROM ") + ")"} ` +
  `SELECT * FROM ${Array(references).fill("b").join(" UNION ALL SELECT * FROM ")}`;

const BOUNDS: readonly {
  readonly what: string;
  readonly inside: string;
  readonly beyond: string;
  readonly says: RegExp;
}[] = [
  {
    what: "joins",
    inside: `SELECT 1 FROM ${numbers(JOINS_MAX + 1).map((i) => `ds_a_1 t${i}`).join(", ")}`,
    beyond: `SELECT 1 FROM ${numbers(JOINS_MAX + 2).map((i) => `ds_a_1 t${i}`).join(", ")}`,
    says: /more than 60 joins/,
  },
  {
    what: "set operations",
    inside: Array(SET_OPERATIONS_MAX + 1).fill("SELECT 1").join(" UNION ALL "),
    beyond: Array(SET_OPERATIONS_MAX + 2).fill("SELECT 1").join(" UNION ALL "),
    says: /more than 200 set operations/,
  },
  {
    what: "subqueries",
    inside: subqueries(SUBQUERY_DEPTH_MAX),
    beyond: subqueries(SUBQUERY_DEPTH_MAX + 1),
    says: /deeper than 8/,
  },
  { what: "lambdas", inside: lambdas(LAMBDA_DEPTH_MAX), beyond: lambdas(LAMBDA_DEPTH_MAX + 1), says: /deeper than 3/ },
  {
    what: "depth",
    inside: sums(NODE_DEPTH_MAX - 5),
    beyond: sums(NODE_DEPTH_MAX + 5),
    says: /nested deeper than 300|expression depth/i,
  },
  { what: "WITH", inside: ctes(CTES_MAX), beyond: ctes(CTES_MAX + 1), says: /more than 100 common table/ },
  { what: "expansion", inside: expanded(15), beyond: expanded(17), says: /refer to each other too often/ },
  {
    what: "pivot columns",
    inside: `PIVOT ds_a_1 ON a IN (${numbers(PIVOT_COLUMNS_MAX / 2)}), b IN (1, 2) USING count(*)`,
    beyond: `PIVOT ds_a_1 ON a IN (${numbers(PIVOT_COLUMNS_MAX / 2 + 1)}), b IN (1, 2) USING count(*)`,
    says: /2000 are possible/,
  },
  {
    what: "sample",
    inside: `FROM ds_a_1 USING SAMPLE ${SAMPLE_ROWS_MAX} ROWS`,
    beyond: `FROM ds_a_1 USING SAMPLE ${SAMPLE_ROWS_MAX + 1} ROWS`,
    says: /500000 rows/,
  },
  {
    what: "GLOB",
    inside: `SELECT 'a' GLOB '${"*a".repeat(GLOB_STARS_MAX)}*'`,
    beyond: `SELECT 'a' GLOB '${"*a".repeat(GLOB_STARS_MAX + 1)}*'`,
    says: /GLOB takes 2/,
  },
  {
    what: "sample of a quantile",
    inside: `SELECT reservoir_quantile(a, 0.5, ${SAMPLE_ROWS_MAX}) FROM ds_a_1`,
    beyond: `SELECT reservoir_quantile(a, 0.5, ${SAMPLE_ROWS_MAX + 1}) FROM ds_a_1`,
    says: /literal sample size/,
  },
  {
    what: "elements of an array type",
    inside: `SELECT NULL::STRUCT(a INTEGER[10][${ARRAY_ITEMS_MAX / 10}])`,
    beyond: `SELECT NULL::STRUCT(a INTEGER[10][${ARRAY_ITEMS_MAX / 10 + 1}])`,
    says: /use a list/,
  },
  {
    what: "LIKE wildcards beside _",
    inside: `SELECT 'a' LIKE '${"%a".repeat(LIKE_WILDCARDS_MAX)}_%'`,
    beyond: `SELECT 'a' NOT LIKE '_${"%a".repeat(LIKE_WILDCARDS_MAX + 1)}%'`,
    says: /regexp_matches/,
  },
  {
    what: "ILIKE",
    inside: `SELECT 'a' ILIKE '${"%a".repeat(LIKE_WILDCARDS_MAX)}%'`,
    beyond: `SELECT 'a' ILIKE '${"%a".repeat(LIKE_WILDCARDS_MAX + 1)}%'`,
    says: /take 3 % before the end/,
  },
  {
    what: "width",
    inside: "SELECT format('{:999d}', 1)",
    beyond: "SELECT format('{:1000d}', 1)",
    says: /widths of 3 digits/,
  },
  {
    what: "time format",
    inside: `SELECT strftime(now(), '${"x".repeat(FORMAT_CHARS_MAX)}')`,
    beyond: `SELECT strftime(now(), '${"x".repeat(FORMAT_CHARS_MAX + 1)}')`,
    says: /1000 characters/,
  },
  {
    what: "bits",
    inside: "SELECT bitstring('1', 100000)",
    beyond: "SELECT bitstring('1', 100001)",
    says: /100000 at most/,
  },
  {
    what: "structure",
    inside: `SELECT from_json(j, '${"[".repeat(32)}"INT"${"]".repeat(32)}') FROM ds_a_1`,
    beyond: `SELECT from_json(j, '${"[".repeat(33)}"INT"${"]".repeat(33)}') FROM ds_a_1`,
    says: /depth 32/,
  },
  {
    what: "replacement",
    inside: `SELECT replace('a', 'a', '${"x".repeat(1_000)}')`,
    beyond: `SELECT replace('a', 'a', '${"x".repeat(1_001)}')`,
    says: /1000 characters/,
  },
];

verifies("GATE-7 GATE-8", "every bound of a statement holds on both sides", async () => {
  await withGate(async (check) => {
    for (const { what, inside, beyond, says } of BOUNDS) {
      await check(inside).catch((error) => ok(false, `${what}: ${error.message}`));
      await rejects(check(beyond), says, what);
    }
  });
});

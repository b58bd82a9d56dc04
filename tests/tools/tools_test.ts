import assert from "node:assert/strict";
import { OWN_TOOLS } from "../../lib/own_tools.ts";
import { someRows, withEngineRig } from "../support/engine_rig.ts";
import { verifies } from "../support/verifies.ts";

verifies(
  "TOOL-1",
  "loom_query answers small results inline, as objects, with both columns of one name",
  () =>
    withEngineRig({}, async ({ keep, answer }) => {
      const { ref } = await keep(someRows(300));
      assert.deepEqual(
        await answer("loom_query", { sql: `SELECT city, count(*) AS n FROM ${ref} GROUP BY ALL ORDER BY ALL` }),
        {
          rows: [{ city: "Bonn", n: 100 }, { city: "Kiel", n: 100 }, { city: "Ulm", n: 100 }],
          rowCount: 3,
        },
      );
      assert.deepEqual((await answer("loom_query", { sql: "SELECT 1 AS a, 2 AS a" })).rows, [{ a: 1, a_2: 2 }]);
      const none = await answer("loom_query", { sql: `SELECT id FROM ${ref} WHERE id < 0` });
      assert.deepEqual(none, { rows: [], rowCount: 0, columns: [{ name: "id", type: "BIGINT" }] });
    }),
);

verifies(
  "TOOL-1 ICPT-8",
  "loom_query turns a large answer into one dataset, which can be queried and made again",
  () =>
    withEngineRig({}, async ({ keep, answer, derived, store }) => {
      const { ref } = await keep(someRows(3_000));
      const sql = `SELECT id, name FROM ${ref} ORDER BY id`;
      const envelope = await answer("loom_query", { sql });
      assert.match(envelope.ref, /^ds_query_\d+$/);
      assert.equal(envelope.rows, 3_000);
      assert.deepEqual(derived, [{ ref: envelope.ref, sql, derivation: { kind: "query" } }]);
      assert.equal(store.list().length, 2);
      assert.equal((await answer("loom_query", { sql: `SELECT max(id) AS m FROM ${envelope.ref}` })).rows[0].m, 2_999);
    }),
);

verifies(
  "TOOL-1",
  "loom_query gives an answer inline whose envelope would be larger",
  () =>
    withEngineRig({ tokenThreshold: 100 }, async ({ keep, answer, store }) => {
      const { ref } = await keep(someRows(300));
      const { rowCount, rows } = await answer("loom_query", { sql: `SELECT id, name FROM ${ref} LIMIT 15` });
      assert.equal(rowCount, 15);
      assert.equal(rows.length, 15);
      assert.equal(store.list().length, 1);
    }),
);

verifies(
  "TOOL-2",
  "loom_query caps an answer that cannot be kept, and says so",
  () =>
    withEngineRig({}, async ({ keep, answer, store }) => {
      const { ref } = await keep(someRows(1_000));
      const { rows, capped } = await answer("loom_query", { sql: `SELECT a.id FROM ${ref} a, ${ref} b` });
      assert.ok(rows.length > 100 && rows.length < 10_000, String(rows.length));
      assert.match(capped, /first \d+ rows.*Narrow it/s);
      assert.equal(store.list().length, 1);
    }),
);

verifies(
  "TOOL-3",
  "loom_list_datasets lists the newest first, in pages",
  () =>
    withEngineRig({}, async ({ keep, answer, lost }) => {
      for (let at = 0; at < 60; at++) await keep(someRows(150 + at), { tool: `tool_${at}` });
      for (let n = 1; n <= 25; n++) lost.set(`ds_x_${n}`, { ref: `ds_x_${n}`, how: "call x again" });
      const first = await answer("loom_list_datasets");
      assert.equal(first.total, 60);
      assert.equal(first.datasets[0].ref, "ds_crm_tool_59_60");
      assert.deepEqual(Object.keys(first.datasets[0]), [
        "ref",
        "rows",
        "columns",
        "bytes",
        "ageSeconds",
        "pinned",
        "implicit",
        "provenance",
      ]);
      assert.deepEqual(
        first.lost,
        Array.from({ length: 20 }, (_, i) => ({ ref: `ds_x_${25 - i}`, how: "call x again" })),
      );
      assert.match(first.more, /offset \d+/);
      const refs: string[] = [];
      for (let offset = 0; offset < 60;) {
        const { datasets } = await answer("loom_list_datasets", { offset });
        refs.push(...datasets.map(({ ref }: { ref: string }) => ref));
        offset += datasets.length;
      }
      assert.equal(new Set(refs).size, 60);
    }),
);

verifies(
  "TOOL-3 STORE-17",
  "loom_list_datasets names what was evicted, and how to get it back",
  () =>
    withEngineRig({ memoryBudgetBytes: 20_000 }, async ({ keep, answer }) => {
      const gone = await keep(someRows(300), { args: new TextEncoder().encode('{"page":1}') });
      const { ref } = await keep(someRows(301), { args: new TextEncoder().encode('{"page":2}') });
      const { datasets, evicted } = await answer("loom_list_datasets");
      assert.deepEqual(datasets.map((dataset: { ref: string }) => dataset.ref), [ref]);
      assert.deepEqual(evicted, [{ ref: gone.ref, how: 'call crm_users again with {"page":1}' }]);
      assert.equal((await answer("loom_list_datasets", { offset: 1 })).evicted, undefined);
    }),
);

verifies(
  "TOOL-4 ENV-3",
  "loom_describe gives every column of a wide dataset, page after page",
  () =>
    withEngineRig({}, async ({ keep, answer }) => {
      const wide = Array.from(
        { length: 12 },
        (_, row) => Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`column_${at}`, row * at])),
      );
      const { ref, omitted } = await keep(wide);
      assert.ok(omitted.columns > 500);
      const names: string[] = [];
      while (names.length < 700) {
        const page = await answer("loom_describe", { ref, offset: names.length });
        assert.equal(page.columnCount, 700);
        names.push(...page.schema.map(({ name }: { name: string }) => name));
      }
      assert.deepEqual(names, Object.keys(wide[0] ?? {}));
      const { sample, provenance, createdAt, ageSeconds } = await answer("loom_describe", { ref });
      assert.ok(sample.length > 0 && sample.length < 10, `${sample.length} wide rows fit`);
      const narrow = await keep(someRows(300));
      assert.equal((await answer("loom_describe", { ref: narrow.ref })).sample.length, 10);
      assert.equal(provenance.server, "crm");
      assert.ok(Date.parse(createdAt) > 0 && ageSeconds >= 0);
    }),
);

verifies(
  "TOOL-4 ENV-5",
  "loom_describe shows decimals as their column's scale has them",
  () =>
    withEngineRig({}, async ({ keep, answer, ask }) => {
      const { ref } = await keep(someRows(300));
      const sql = `SELECT (878 + id)::DECIMAL(18,2) + 0.90 AS price FROM ${ref} ORDER BY id LIMIT 20`;
      const view = await answer("loom_materialize", { sql, name: "prices" });
      const { text } = await ask("loom_describe", { ref: view.ref });
      assert.match(
        text,
        /"name":"price","type":"DECIMAL\(\d+,2\)",.*"min":878\.90,"max":897\.90\}.*"sample":\[\{"price":878\.90\}/,
      );
    }),
);

verifies(
  "TOOL-5",
  "loom_materialize keeps the engine's types and refuses a name that is in use",
  () =>
    withEngineRig({}, async ({ keep, answer, ask, store }) => {
      const { ref } = await keep(someRows(300));
      const sql = `SELECT DATE '2026-01-02' AS day, 1.10::DECIMAL(9,2) AS price, [1, 2] AS list FROM ${ref}`;
      const view = await answer("loom_materialize", { sql, name: "typed" });
      assert.match(view.ref, /^ds_view_typed_\d+$/);
      assert.deepEqual(view.schema.map(({ type }: { type: string }) => type), ["DATE", "DECIMAL(9,2)", "INTEGER[]"]);
      assert.equal(store.get(view.ref)?.pinned, true);
      const again = await ask("loom_materialize", { sql, name: "typed" });
      assert.ok(again.isError);
      assert.match(again.text, /^NAME_TAKEN: .*typed/);
    }),
);

verifies(
  "TOOL-7",
  "loom_raw gives any part of the original, whole characters only",
  () =>
    withEngineRig({}, async ({ keep, answer, ask }) => {
      const rows = someRows(300).map((row) => ({ ...row, face: "😀" }));
      const text = JSON.stringify(rows);
      const { ref } = await keep(rows);
      let read = "";
      while (read.length < text.length) {
        const part = await answer("loom_raw", { ref, offset: read.length, length: 1_111 });
        assert.equal(part.totalChars, text.length);
        assert.ok(part.text.isWellFormed());
        read += part.text;
      }
      assert.equal(read, text);
      const unknown = await ask("loom_raw", { ref: "ds_nothing_9" });
      assert.ok(unknown.isError);
    }),
);

verifies(
  "TOOL-7",
  "loom_raw gives the JSON of a result that is more than one text",
  () =>
    withEngineRig({}, async ({ offer, answer }) => {
      const result = `{"structuredContent":{"total":9007199254740993,"items":${
        JSON.stringify(someRows(300))
      }},"content":[]}`;
      const outcome = await offer(result);
      assert.equal(outcome.kind, "replaced");
      const { text, form, totalChars } = await answer("loom_raw", {
        ref: outcome.kind === "replaced" ? outcome.ref : "",
        length: 60,
      });
      assert.equal(form, "json");
      assert.equal(text, result.slice(0, 60));
      assert.equal(totalChars, result.length);
    }),
);

/** Results of one text block, and which of them say all in it. */
const ORIGINALS: readonly { what: string; more: (json: string) => string; form: string; beside?: string }[] = [
  { what: "nothing else", more: () => "", form: "text" },
  { what: "the same JSON", more: (json) => `,"structuredContent": ${json}`, form: "text", beside: "the same JSON" },
  {
    what: "the same under one key",
    more: (json) => `,"structuredContent":{"result":${json}}`,
    form: "text",
    beside: 'the same under "result"',
  },
  {
    what: "the same text under one key",
    more: (json) => `,"structuredContent":{"result":${JSON.stringify(json)}}`,
    form: "text",
    beside: 'the same under "result"',
  },
  { what: "more", more: (json) => `,"structuredContent":{"result":${json},"total":7}`, form: "json" },
  {
    what: "another number",
    more: (json) => `,"structuredContent":${json.replace('"id":5,', '"id":5.0,')}`,
    form: "json",
  },
  { what: "_meta", more: () => ',"_meta":{"a":1}', form: "text", beside: "_meta, which went with the envelope" },
  { what: "a member of its own", more: () => ',"x-vendor":{"a":1}', form: "json" },
];

for (const { what, more, form, beside } of ORIGINALS) {
  verifies(
    "TOOL-7",
    `loom_raw of one text block beside ${what} gives ${form}`,
    () =>
      withEngineRig({}, async ({ offer, answer }) => {
        const json = JSON.stringify(someRows(300));
        const result = `{"content":[{"type":"text","text":${JSON.stringify(json)}}]${more(json)}}`;
        const outcome = await offer(result);
        const raw = await answer("loom_raw", { ref: outcome.kind === "replaced" ? outcome.ref : "", length: 100_000 });
        assert.equal(raw.form, form);
        assert.equal(raw.text, form === "text" ? json : result);
        assert.ok(beside === undefined ? raw.beside === undefined : raw.beside.includes(beside), raw.beside);
      }),
  );
}

verifies(
  "TOOL-8",
  "every tool that takes a ref names the known ones when it is unknown",
  () =>
    withEngineRig({}, async ({ keep, ask, lost }) => {
      const { ref } = await keep(someRows(300));
      const calls = [
        ["loom_describe", { ref: "ds_nope_1" }],
        ["loom_export", { ref: "ds_nope_1", format: "csv" }],
        ["loom_raw", { ref: "ds_nope_1" }],
        ["loom_query", { sql: "FROM ds_nope_1" }],
      ] as const;
      for (const [tool, args] of calls) {
        const { text, isError } = await ask(tool, args);
        assert.ok(isError, tool);
        assert.match(text, new RegExp(`ds_nope_1.*${ref}`, "s"), tool);
      }
      lost.set("ds_old_1", { ref: "ds_old_1", how: "call users again" });
      assert.match((await ask("loom_describe", { ref: "ds_old_1" })).text, /^DATASET_LOST: .*call users again/);
    }),
);

verifies("TOOL-9 TOOL-11", "wrong arguments are named, each of them", () =>
  withEngineRig({}, async ({ ask }) => {
    const { text, isError } = await ask("loom_export", { reff: "x", format: "xlsx" });
    assert.ok(isError);
    assert.match(text, /^ARGUMENTS_INVALID: Cannot call loom_export: /);
    for (const part of ['"ref"', '"format"', '"reff"', "filename"]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    assert.match(text, /: "ref" is missing, it must be a text; "format" must be "csv" or "json", got "xlsx"; unknown /);
    assert.match(
      (await ask("loom_raw", { ref: "x", length: 1e9 })).text,
      /: "length" must be at most 100000, got 1000000000 /,
    );
    assert.match((await ask("loom_query", [1])).text, /must be an object/);
    assert.match((await ask("loom_nothing", {})).text, /no such tool/);
  }));

verifies("TOOL-11", "a fault in the SQL is answered with what helps", () =>
  withEngineRig({}, async ({ keep, ask }) => {
    const { ref } = await keep(someRows(300));
    const fault = async (sql: string) => (await ask("loom_query", { sql })).text;
    assert.match(await fault(`SELECT nme FROM ${ref}`), /^QUERY_FAILED: .*"name".*\nloom_describe shows the columns/s);
    assert.match(await fault(`SELECT CAST(name AS INT) FROM ${ref}`), /^QUERY_FAILED: .*\nTRY_CAST gives NULL/s);
  }));

verifies("TOOL-10", "each tool tells a model all it needs", () => {
  for (const { name, definition } of OWN_TOOLS) {
    const { title, description, inputSchema, annotations, _meta } = JSON.parse(definition);
    assert.ok(title && description.length < 2_000, name);
    assert.match(description, /Example: \{.*\}$/s, name);
    assert.equal(inputSchema.type, "object");
    assert.equal(typeof annotations.readOnlyHint, "boolean");
    assert.equal(_meta["anthropic/alwaysLoad"], true);
  }
});

verifies(
  "TOOL-6",
  "loom_export writes the whole dataset under the export folder and gives the path",
  () =>
    withEngineRig({}, async ({ keep, answer, exportDir }) => {
      const { ref } = await keep(someRows(300));
      const { path, rows, format } = await answer("loom_export", { ref, format: "csv", filename: "people" });
      assert.equal(path, await Deno.realPath(`${exportDir}/people.csv`));
      assert.deepEqual([rows, format], [300, "csv"]);
      const lines = (await Deno.readTextFile(path)).trimEnd().split(/\r?\n/);
      assert.equal(lines.length, 301);
      assert.deepEqual(lines.slice(0, 2), ["id,name,city,score", "0,person number 0,Ulm,0"]);
    }),
);

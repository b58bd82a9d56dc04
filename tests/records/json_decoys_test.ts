/** What stands beside rows and is not the rows: descriptions, links, warnings, sums, details of one entity. @module */

import { deepEqual, equal, match } from "node:assert/strict";
import { MAX_LISTS } from "../../lib/records/candidates.ts";
import { HELD_ROWS } from "../../lib/records/limits.ts";
import { columnsOf, contextOf, refusalOf, tableIn } from "../support/cells.ts";
import { verifies } from "../support/verifies.ts";

const json = JSON.stringify;

function rowsOf<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

const people = (count: number) => rowsOf(count, (id) => ({ id, name: `n${id}` }));
const bodies = (count: number) => rowsOf(count, (id) => ({ id, body: "lorem ipsum ".repeat(40) }));

/** Columns of the table in one text and the paths of its context. */
function told(value: unknown): readonly [readonly string[], readonly string[]] {
  const located = tableIn({ texts: [json(value)] });
  return [columnsOf(located.table), Object.keys(contextOf(located))];
}

const BODIES = ["id:BIGINT", "body:VARCHAR"];

verifies("JSON-10", "descriptions, links and warnings beside fewer but larger rows are context", () => {
  const links = rowsOf(9, (n) => ({ rel: "page", href: `http://x/${n}` }));
  deepEqual(told({ links, items: bodies(3) }), [BODIES, ["links"]]);
  const warnings = rowsOf(12, (n) => ({ code: n, message: "slow" }));
  deepEqual(told({ data: bodies(5), warnings }), [BODIES, ["warnings"]]);
  const fields = rowsOf(8, (n) => ({ name: `f${n}`, type: "text" }));
  deepEqual(told({ fields, records: bodies(4) }), [BODIES, ["fields"]]);
  const tags = rowsOf(6, (n) => ({ tag: `t${n}` }));
  deepEqual(told({ tags, items: bodies(5) }), [BODIES, ["tags"]]);
});

verifies("JSON-10", "a list under such a key is the table when nothing larger stands beside it", () => {
  deepEqual(told({ messages: bodies(9), users: people(12) })[0], BODIES);
  deepEqual(told({ errors: people(30), page: 1 })[0], ["id:BIGINT", "name:VARCHAR"]);
});

verifies("JSON-10", "descriptions of rows that nothing can read are not taken for the rows", () => {
  const columns = rowsOf(3, (n) => ({ caption: `c${n}`, type: "text" }));
  equal(refusalOf({ texts: [json({ columns, data: rowsOf(30, (n) => [n, "x", "y"]) })] }), "unnamed-rows");
});

verifies("JSON-10", "the inner list of one entity does not stand for the entity", () => {
  const entity = { id: 1, title: "t", body: "word ".repeat(500), comments: people(20) };
  equal(refusalOf({ texts: [json(entity)] }).length > 0, true);
  const thin = { id: 1, title: "t", comments: people(200) };
  deepEqual(told(thin), [["id:BIGINT", "name:VARCHAR"], ["id", "title", "rows from"]]);
});

verifies("JSON-10", "a list among more lists than can be named is no table unless it is half of the document", () => {
  const zones = (count: number) =>
    Object.fromEntries(
      rowsOf(count, (n) => [`zone${n}`, [{ from: n, day: "Monday" }, { from: n + 1, day: "Tuesday" }]]),
    );
  const strewn = (count: number) => ({ zones: zones(count), places: people(118) });
  deepEqual(told(strewn(MAX_LISTS - 1))[0], ["id:BIGINT", "name:VARCHAR"]);
  match(refusalOf({ texts: [json(strewn(MAX_LISTS))] }), /^minor-rows/);
  deepEqual(told({ ...strewn(MAX_LISTS), places: people(400) })[0], ["id:BIGINT", "name:VARCHAR"]);
  // Lists in a list are named by it.
  deepEqual(told({ ...strewn(MAX_LISTS), zones: [zones(MAX_LISTS)] })[1], ["zones", "rows from"]);
});

verifies("JSON-10", "lists of plain values that go along with the records are columns the records lack", () => {
  const ids = (count: number) => rowsOf(count, (n) => `doc${n}`);
  equal(refusalOf({ texts: [json({ ids: ids(30), metadatas: people(30) })] }), "parallel-lists");
  equal(refusalOf({ texts: [json({ ids: [ids(30)], metadatas: [people(30)] })] }), "parallel-lists");
  const columns = ["id", "name", "qty"];
  const rows = rowsOf(30, (n) => [n, `n${n}`, 2 * n]);
  equal(refusalOf({ texts: [json({ columns, rows, labels: ids(30) })] }), "parallel-lists");
  deepEqual(told({ index: ids(30), columns, rows })[0], ["index:VARCHAR", "id:BIGINT", "name:VARCHAR", "qty:BIGINT"]);
  deepEqual(told({ ids: ids(29), items: people(30) })[1], ["ids"]);
  deepEqual(told({ ids: ids(4), items: people(4) })[1], ["ids"]);
  deepEqual(told({ columns: ids(30), items: people(30) })[1], ["columns"]);
});

verifies("JSON-10", "columns that hold their cells are no rows", () => {
  const columns = (cells: number) => rowsOf(4, (n) => ({ name: `c${n}`, values: rowsOf(cells, (m) => n * m) }));
  equal(refusalOf({ texts: [json({ columns: columns(5) })] }), "columns");
  equal(tableIn({ texts: [json({ columns: columns(4) })] }).table.rowCount, 4);
  equal(tableIn({ texts: [json({ items: columns(5) })] }).table.rowCount, 4);
});

verifies("JSON-4", "as many values as names, each as long, may be columns, and pass", () => {
  const square = (key: string, rows: number) =>
    json({ columns: ["a", "b", "c"], [key]: rowsOf(rows, (n) => [n, 1, 2]) });
  equal(refusalOf({ texts: [square("values", 3)] }), "no-rows");
  equal(tableIn({ texts: [square("values", 4)] }).table.rowCount, 4);
  equal(tableIn({ texts: [square("rows", 3)] }).table.rowCount, 3);
});

verifies("JSON-11", "lists of one kind under several keys are no table: the rest would vanish", () => {
  equal(refusalOf({ texts: [json({ "2023": people(30), "2024": people(40) })] }), "split-rows");
  equal(refusalOf({ texts: [json({ ann: { orders: people(50) }, bob: { orders: people(40) } })] }), "split-rows");
  deepEqual(told({ featured: people(3), items: people(200) })[1], ["featured"]);
});

verifies("JSON-11", "two tables in one answer: the smaller is named and whole in the context", () => {
  const other = rowsOf(20, (n) => ({ order: n, total: n * 2 }));
  const inBlocks = tableIn({ texts: [json(people(30)), json(other)] });
  deepEqual(contextOf(inBlocks), { "content[1]": json(other) });
  const inText = tableIn({ texts: [`People:\n${json(people(30))}\n\nOrders:\n${json(other)}\n`] });
  deepEqual(contextOf(inText), { "text before": '"People:"', "text after": '"Orders:"', "value[1]": json(other) });
});

verifies(
  "JSON-11",
  "records of one kind in several places of a text, or in several blocks, are parts of a table",
  () => {
    const [early, late] = [people(40), people(70).slice(40)];
    const lines = (rows: unknown[]) => rows.map((row) => json(row)).join("\n");
    const texts = [
      `${json(early)}\n${json(late)}`,
      `Page 1\n${json(early)}\nPage 2\n${json(late)}`,
      `${lines(early)}\n{"id": 40, "name": oops}\n${lines(late)}`,
      `${lines(early)}\n-- more --\n${lines(late.slice(0, 1))}`,
    ];
    for (const text of texts) equal(refusalOf({ texts: [text] }), "split-rows");
    const arrays = lines(early.map(({ id, name }) => [id, name]));
    equal(refusalOf({ texts: [`["id","name"]\n${arrays}\n-- more --\n[40,"n40"]`] }), "split-rows");
    equal(tableIn({ texts: [`["id","name"]\n${arrays}\nSee [1, 2] for more.`] }).table.rowCount, 40);
    const kinds = early.map((row, i) => i % 9 === 3 ? { ...row, also: i } : row);
    equal(
      refusalOf({ texts: [`${lines(kinds)}\n-- more --\n${json({ id: 40, name: "n40", also: 1 })}`] }),
      "split-rows",
    );
    equal(refusalOf({ texts: [json(early), json(late)] }), "split-rows");
    const csv = (rows: typeof early) => `id,name,n\n${rows.map(({ id, name }) => `${id},${name},1`).join("\n")}`;
    equal(refusalOf({ texts: [csv(early), csv(late)] }), "split-rows");
  },
);

verifies("JSON-7", "a last or first object that shares no key with the records is no row", () => {
  const sum = { total: 8812, elapsed: 3 };
  const lines = (rows: unknown[]) => rows.map((row) => json(row)).join("\n");
  for (const texts of [[lines([...people(9), sum])], [...people(9), sum].map((row) => json(row))]) {
    const located = tableIn({ texts });
    equal(located.table.rowCount, 9);
    deepEqual(Object.values(contextOf(located)), ["8812", "3"]);
  }
  equal(tableIn({ texts: [lines([sum, ...people(9)])] }).table.rowCount, 9);
  equal(tableIn({ texts: [lines([...people(4), sum])] }).table.rowCount, 4);
  equal(refusalOf({ texts: [lines([...people(3), sum])] }), "no-rows");
  equal(tableIn({ texts: [lines([...people(9), { id: 9, total: 8812 }])] }).table.rowCount, 10);
});

verifies("JSON-12", "structuredContent comes first, and a text that repeats it says nothing more", () => {
  const list = people(30);
  const structured = json({ result: list });
  for (
    const texts of [[json(list, null, 2)], list.map((row) => json(row)), [structured], [
      json({ result: list }, null, 1),
    ]]
  ) {
    const located = tableIn({ structured, texts });
    equal(located.source, "structuredContent");
    deepEqual(contextOf(located), {});
  }
  const both = json({ items: list, total: 99 });
  for (const texts of [[json(list)], [...list.map((row) => json(row))], [both]]) {
    deepEqual(contextOf(tableIn({ structured: both, texts })), { total: "99" });
  }
  const noted = tableIn({ structured: both, texts: [...list.map((row) => json(row)), "next: abc"] });
  deepEqual(contextOf(noted), { total: "99", "content[30]": '"next: abc"' });
  const among = tableIn({ structured, texts: [`Found:\n\`\`\`json\n${json(list, null, 2)}\n\`\`\`\nnext: abc`] });
  deepEqual(contextOf(among), { "text before": '"Found:"', "text after": '"next: abc"' });
  const remark = tableIn({ structured, texts: ["Page 2 of 3"] });
  deepEqual(contextOf(remark), { "content[0]": '"Page 2 of 3"' });
  const cut = tableIn({ structured, texts: [json(list, null, 2).slice(0, 200)] });
  equal(cut.table.rowCount, 30);
  deepEqual(Object.keys(contextOf(cut)), ["content[0]"]);
});

verifies("JSON-12", "rows beside far more text are an addition to it, and the result passes", () => {
  const structured = json({ sources: people(30) });
  const said = (times: number) => ({ structured, texts: ["w".repeat(times * structured.length)] });
  equal(tableIn(said(3)).source, "structuredContent");
  equal(refusalOf({ structured, texts: ["w".repeat(3 * structured.length + 1)] }), "small-share");
  const rows = json(people(30));
  equal(tableIn({ texts: [rows, "w".repeat(rows.length)] }).table.rowCount, 30);
  equal(refusalOf({ texts: [rows, "w".repeat(rows.length + 1)] }), "small-share");
});

verifies("JSON-15", "a few long documents are not cut into rows", () => {
  const pages = (count: number, chars: number) => rowsOf(count, (n) => ({ url: `u${n}`, body: "b".repeat(chars) }));
  equal(refusalOf({ texts: [json(pages(2, 5_000))] }), "documents");
  equal(refusalOf({ texts: [json(pages(9, 5_000))] }), "documents");
  equal(tableIn({ texts: [json(pages(10, 5_000))] }).table.rowCount, 10);
  equal(refusalOf({ texts: [json(pages(9, 2_000))] }), "documents");
  equal(tableIn({ texts: [json(pages(9, 1_999))] }).table.rowCount, 9);
  equal(tableIn({ texts: [json([...pages(8, 5_000), { url: "u8", body: "" }])] }).table.rowCount, 9);
  const halves = rowsOf(2, () => ({ a: "a".repeat(5_000), b: "b".repeat(5_000) }));
  equal(tableIn({ texts: [json(halves)] }).table.rowCount, 2);
});

verifies("JSON-11", "formatted rows beside JSON rows refuse the text unless they are few", () => {
  const markdown = (rows: number) => `| id | n |\n|---|---|\n${rowsOf(rows, (n) => `| ${n} | ${n} |`).join("\n")}\n\n`;
  equal(refusalOf({ texts: [markdown(30) + json(people(60))] }), "split-rows");
  equal(refusalOf({ texts: [`${json(people(60))}\n\n${markdown(40)}`] }), "split-rows");
  equal(tableIn({ texts: [markdown(29) + json(people(60))] }).table.rowCount, 60);
});

verifies("JSON-4", "a first row that says the names beside it once more refuses the table", () => {
  const rows = [["id", "name"], ...rowsOf(40, (n) => [n, `n${n}`])];
  equal(refusalOf({ texts: [json({ columns: ["id", "name"], rows })] }), "header-repeated");
  equal(tableIn({ texts: [json({ columns: ["id", "label"], rows })] }).table.rowCount, 41);
});

verifies("JSON-10", "descriptions of columns are not the rows of an empty answer", () => {
  const columns = rowsOf(40, (n) => ({ name: `c${n}`, type: "text" }));
  equal(refusalOf({ texts: [json({ columns, rows: [] })] }), "empty");
  equal(refusalOf({ texts: [json({ result: { data: [], meta: { columns } } })] }), "empty");
  equal(tableIn({ texts: [json({ columns, indexes: [] })] }).table.rowCount, 40);
  equal(tableIn({ texts: [json({ people: people(40), rows: [] })] }).table.rowCount, 40);
});

verifies("JSON-15", "a few records around a table each are no table", () => {
  const results = (count: number, rows: number) =>
    rowsOf(count, (n) => ({ sql: `q${n}`, rows: n === 0 ? people(rows) : [] }));
  equal(refusalOf({ texts: [json(results(2, HELD_ROWS))] }), "holders");
  equal(tableIn({ texts: [json(results(2, HELD_ROWS - 1))] }).table.rowCount, 2);
  equal(refusalOf({ texts: [json(results(9, 40))] }), "holders");
  equal(tableIn({ texts: [json(results(10, 40))] }).table.rowCount, 10);
  const sheets = rowsOf(2, (n) => ({ range: `s${n}`, values: rowsOf(30, (row) => [row, `c${row}`]) }));
  equal(refusalOf({ texts: [json({ id: "x", valueRanges: sheets })] }), "holders");
  const tagged = rowsOf(3, (n) => ({ id: n, tags: rowsOf(60, (tag) => `t${tag}`) }));
  equal(tableIn({ texts: [json(tagged)] }).table.rowCount, 3);
});

verifies("JSON-15", "the top of a tree is no table, a list with lists in it is one", () => {
  const folder = (depth: number): unknown[] =>
    rowsOf(4, (n) => depth === 0 ? { name: `f${n}` } : { name: `d${n}`, children: folder(depth - 1) });
  equal(refusalOf({ texts: [json(folder(3))] }), "tree");
  equal(refusalOf({ texts: [JSON.stringify({ root: "/", children: folder(3) }, null, 2)] }), "tree");
  deepEqual(told(folder(1))[0], ["name:VARCHAR", "children:JSON"]);
  const teams = rowsOf(20, (n) => ({ id: n, name: `t${n}`, members: people(30) }));
  deepEqual(told(teams)[0], ["id:BIGINT", "name:VARCHAR", "members:JSON"]);
  const threads = rowsOf(20, (n) => ({ id: n, body: "b".repeat(900), replies: [{ id: 1, replies: [] }] }));
  deepEqual(told(threads)[0], ["id:BIGINT", "body:VARCHAR", "replies:JSON"]);
});

verifies("JSON-12", "structuredContent that only repeats or sums up the text leaves the text to be read", () => {
  const text = json(people(30));
  const echo = tableIn({ structured: json({ content: text }), texts: [text] });
  equal(echo.source, "text");
  deepEqual(contextOf(echo), {});
  const summary = [{ status: "ok", n: 14 }, { status: "bad", n: 16 }];
  const sum = tableIn({ structured: json({ summary }), texts: [text] });
  equal(sum.table.rowCount, 30);
  deepEqual(contextOf(sum), { "structuredContent.summary": json(summary) });
  const wordy = rowsOf(15, (n) => ({ status: `s${n}`, said: "w".repeat(60) }));
  equal(tableIn({ structured: json({ wordy }), texts: [text] }).table.rowCount, 30);
  equal(tableIn({ structured: json({ wordy: [...wordy, ...wordy.slice(0, 1)] }), texts: [text] }).table.rowCount, 16);
});

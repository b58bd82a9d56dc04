/** XML record lists. @module */

import { deepEqual, equal } from "node:assert/strict";
import { XML_PREAMBLE_LINES_MAX, XML_RECORDS_MIN } from "../../../lib/records/xml.ts";
import { XML_DEPTH_MAX } from "../../../lib/records/xml_tree.ts";
import { verifies } from "../../support/verifies.ts";
import { isRefused, lines, NAMES, recordsOf, ROWS } from "./reading.ts";

const SOURCE = "text:xml";
const item = ([id = "", name = "", qty = ""]: readonly string[]) =>
  `  <item><id>${id}</id><name>${name}</name><qty>${qty}</qty></item>`;

verifies("TEXT-19 TEXT-3", "elements of one name are rows, the rest is residue", () => {
  const { header, rows, residue } = recordsOf(
    `<?xml version="1.0"?>\n<items next="abc">\n${lines(item)}\n</items>\n`,
    SOURCE,
  );
  deepEqual(header, NAMES);
  deepEqual(rows, ROWS);
  deepEqual(residue, ['<?xml version="1.0"?>\n<items next="abc">', "</items>"]);
});

verifies("TEXT-19 TEXT-3", "a sentence may stand above the XML, ten lines at most", () => {
  const list = `<items>\n${lines(item)}\n</items>`;
  equal(recordsOf(`Here it is:\n${list}`, SOURCE).residue[0], "Here it is:");
  recordsOf("a\n".repeat(XML_PREAMBLE_LINES_MAX) + list, SOURCE);
  isRefused("a\n".repeat(XML_PREAMBLE_LINES_MAX + 1) + list, "no-tier");
});

verifies("TEXT-19 TEXT-10", "attributes, children and one level beneath them are columns", () => {
  const { header, rows } = recordsOf(
    `<r>${
      lines((row, i) =>
        `<e id="${i}"><link href="/${i}">x</link><who><name>${
          row[1]
        } &amp; co</name><age> ${i} </age></who><tag>a</tag>${i === 3 ? "<tag>b</tag>" : ""}<t><![CDATA[<b>]]></t></e>`
      )
    }</r>`,
    SOURCE,
  );
  deepEqual(header, ["id", "link.href", "link", "who.name", "who.age", "t", "tag"]);
  deepEqual(rows[3], ["3", "/3", "x", "copper & co", "3", "<b>", "<tag>a</tag><tag>b</tag>"]);
  deepEqual(rows[4]?.at(-1), "<tag>a</tag>");
});

verifies("TEXT-19", "rows may stand beneath a channel, as attributes alone, and lack fields", () => {
  const feed = recordsOf(`<rss><channel><title>News</title>${lines(item)}</channel></rss>`, SOURCE);
  equal(feed.rows.length, ROWS.length);
  const rows = recordsOf(
    `<rows>${lines((row, i) => `<row id="${row[0]}"${i === 0 ? "" : ` name="${row[1]}"`}/>`)}</rows>`,
    SOURCE,
  );
  deepEqual(rows.rows.slice(0, 2), [["0", undefined], ["1", "lantern"]]);
});

verifies("TEXT-4 TEXT-19", "five elements are needed", () => {
  const some = (count: number) => `<items>\n${ROWS.slice(0, count).map(item).join("\n")}\n</items>`;
  equal(recordsOf(some(XML_RECORDS_MIN), SOURCE).rows.length, XML_RECORDS_MIN);
  isRefused(some(XML_RECORDS_MIN - 1), "no-list");
});

verifies("TEXT-19 TEXT-2 TEXT-6", "what is no list or not well formed is refused", () => {
  const list = `<items>\n${lines(item)}\n</items>`;
  isRefused(list.replace("</items>", ""), "tags-open");
  isRefused(list.replace("</qty></item>", "</item></qty>"), "xml: ");
  isRefused(list.replace("<item>", "<item a='1' a='2'>"), "attribute-twice");
  isRefused(list.replace("<item>", "<item>text"), "mixed-content");
  isRefused(list.replace("<item>", "<item id='1'>"), "field-twice");
  isRefused(list.replaceAll("items>", "svg>"), "document");
  isRefused(list.replaceAll("items>", "appConfig>"), "settings");
  isRefused(`${list}${list}`, "several-roots");
  isRefused(`<m>${lines((row) => `<comment lang="${row[0]}">${row[1]}</comment>`)}</m>`, "marked-text");
});

Deno.test("elements may nest so deep and no deeper", () => {
  const nested = (depth: number) => `${"<a>".repeat(depth - 3)}<b>${lines(item)}</b>${"</a>".repeat(depth - 3)}`;
  recordsOf(nested(XML_DEPTH_MAX), SOURCE);
  isRefused(nested(XML_DEPTH_MAX + 1), "too-deep");
});

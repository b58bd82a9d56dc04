/** Tables that are cut off, drift or are broken. All of them are made up. @module */

import { type Document, many, pad, upper, word } from "./documents.ts";

/** Tables that no tier may read. */
export const BROKEN: readonly Document[] = [
  {
    name: "CSV whose rows have one comma too many",
    text: `id,name,qty\n${many(60, (i) => `${i},${upper(i)}, ${upper(i + 1)},${i * 2}`)}`,
  },
  {
    name: "CSV in which one row drifts",
    text: `id,name,qty\n${many(60, (i) => i === 41 ? `${i},${upper(i)}, Inc.,${i}` : `${i},${upper(i)},${i * 2}`)}`,
  },
  {
    name: "CSV cut inside a row",
    text: `id,name,qty\n${many(60, (i) => `${i},${upper(i)},${i * 2}`)}\n60,Har`,
  },
  {
    name: "CSV cut inside quotes",
    text: `id,name,qty\n${many(60, (i) => `${i},"${upper(i)}, Inc.",${i * 2}`)}\n60,"Har`,
  },
  {
    name: "CSV with a total that is none",
    text: `region,orders,sum\n${many(60, (i) => `${upper(i)} ${i},${i},${i * 2}`)}\nTotal,12,34`,
  },
  {
    name: "CSV in two sections",
    text: `id,name,qty\n${many(40, (i) => `${i},${upper(i)},${i * 2}`)}\n\ncode,label,sum\n${
      many(40, (i) => `${i},${upper(i)},${i * 3}`)
    }`,
  },
  {
    name: "a markdown table with a row cut",
    text: `| id | name | qty |\n|---|---|---|\n${many(60, (i) => `| ${i} | ${upper(i)} | ${i * 2} |`)}\n| 60 | Har`,
  },
  {
    name: "a markdown table with one cell too many",
    text: `| id | name | qty |\n|---|---|---|\n${
      many(60, (i) => `| ${i} | ${upper(i)}${i === 30 ? " | x" : ""} | ${i * 2} |`)
    }`,
  },
  {
    name: "two markdown tables of one size",
    text: ["a", "b"].map((name) =>
      `| id | ${name} | qty |\n|---|---|---|\n${many(40, (i) => `| ${i} | ${upper(i)} | ${i * 2} |`)}`
    ).join("\n\n"),
  },
  {
    name: "a box with rows left out",
    text:
      `┌────┬────────┐\n│ id │ name   │\n├────┼────────┤\n${
        many(40, (i) => `│ ${pad(i, 2)} │ ${word(i).slice(0, 6).padEnd(6)} │`)
      }\n` +
      `│  · │ ·      │\n${
        many(40, (i) => `│ ${pad(i + 50, 2)} │ ${word(i).slice(0, 6).padEnd(6)} │`)
      }\n└────┴────────┘`,
  },
  {
    name: "a box whose foot counts more rows",
    text: `+----+--------+\n| id | name   |\n+----+--------+\n${
      many(60, (i) => `| ${pad(i, 2)} | ${word(i).slice(0, 6).padEnd(6)} |`)
    }\n+----+--------+\n600 rows in set`,
  },
  {
    name: "a box with cells of several lines",
    text: `+----+--------+\n| id | name   |\n+----+--------+\n${
      many(40, (i) =>
        `| ${pad(i, 2)} | ${word(i).slice(0, 6).padEnd(6)} |\n|    | ${word(i + 1).slice(0, 6).padEnd(6)} |`)
    }\n+----+--------+`,
  },
  {
    name: "numbered records with a gap",
    text: many(30, (i) => `${i < 15 ? i + 1 : i + 2}. ${upper(i)}\n   Owner: ${word(i)}\n   Pages: ${i}`, "\n\n"),
  },
  {
    name: "records with a line that has no key",
    text: many(
      30,
      (i) => `Id: ${i}\nOwner: ${word(i)}\nText: ${upper(i)} goes on\n${i === 20 ? "in the next line" : "Size: 3"}`,
      "\n\n",
    ),
  },
  {
    name: "records with a key twice",
    text: many(30, (i) => `Id: ${i}\nOwner: ${word(i)}\nOwner: ${word(i + 1)}`, "\n\n"),
  },
  {
    name: "records of two kinds",
    text: many(
      30,
      (i) => i % 2 ? `Id: ${i}\nOwner: ${word(i)}\nSize: ${i}` : `Id: ${i}\nColour: ${word(i)}\nPrice: ${i}`,
      "\n\n",
    ),
  },
  {
    name: "an HTML table with cells over two columns",
    text: `<table><tr><th>id</th><th>name</th></tr>${
      many(40, (i) => i === 20 ? `<tr><td colspan="2">break</td></tr>` : `<tr><td>${i}</td><td>${word(i)}</td></tr>`)
    }</table>`,
  },
  {
    name: "an HTML table cut off",
    text: `<table><tr><th>id</th><th>name</th></tr>${
      many(60, (i) => `<tr><td>${i}</td><td>${word(i)}</td></tr>`)
    }<tr><td>60</td><td>har`,
  },
  {
    name: "XML cut off",
    text: `<items>\n${many(60, (i) => `<item id="${i}"><name>${word(i)}</name></item>`)}\n<item id="60"><na`,
  },
  {
    name: "YAML whose items differ",
    text: many(30, (i) => `- ${word(i)}_${i}: ${i}\n  ${word(i + 1)}_${i}: ${i}`),
  },
  {
    name: "columns whose cells run over",
    text: `NAME      STATUS    AGE\n${
      many(40, (i) => `${(word(i) + (i === 20 ? "-with-a-long-name" : "")).padEnd(10)}Running   ${i}d`)
    }`,
  },
];

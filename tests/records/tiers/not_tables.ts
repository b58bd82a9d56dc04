/** Documents that are no tables, though some of their lines look like rows. All of them are made up. @module */

import { BROKEN } from "./broken_tables.ts";
import { type Document, many, pad, two, upper, word } from "./documents.ts";
import { FORMATS, LISTINGS, SETTINGS } from "./machine_documents.ts";

const PROSE: Document[] = [
  {
    name: "prose with two commas in every line",
    text: many(80, (i) => `The ${word(i)} was late, the ${word(i + 1)} was shut, and ${i} people went home.`),
  },
  {
    name: "prose with one comma in every line",
    text: many(80, (i) => `In ${1900 + i} the ${word(i)} closed, which nobody had asked for.`),
  },
  {
    name: "names and ages without a header",
    text: many(60, (i) => `${upper(i)}, ${upper(i + 3)}, ${20 + (i % 50)}`),
  },
  {
    name: "paragraphs with semicolons",
    text: many(40, (i) => `We saw the ${word(i)}; we left it; we came back at ${i}; nobody was there.`),
  },
  {
    name: "a poem",
    text: many(
      30,
      (i) => `O ${word(i)}, ${word(i + 1)}, ${word(i + 2)},\nthe ${word(i + 3)} sleeps,\nand so do I.`,
      "\n\n",
    ),
  },
  {
    name: "postal addresses",
    text: many(
      25,
      (i) => `${upper(i)} ${upper(i + 2)}\n${i + 1} ${upper(i + 4)} Street\n${10_000 + i} ${upper(i + 5)}`,
      "\n\n",
    ),
  },
  {
    name: "a transcript of a chat",
    text: many(
      60,
      (i) => `[10:${two(i)}] ${i % 2 ? "Ann" : "Bob"}: I left the ${word(i)}, the ${word(i + 1)} and ${i} more.`,
    ),
  },
  {
    name: "questions and answers",
    text: many(
      30,
      (i) =>
        `Q: How many of the ${
          word(i)
        } things that we spoke of last week, when everyone was there, are still open today?\n` +
        `A: About ${i}, but the ${
          word(i + 2)
        } ones should not be counted, as they were only meant as examples for you.`,
      "\n\n",
    ),
  },
  {
    name: "a licence",
    text: many(
      12,
      (i) =>
        `${i + 1}. Grant of Rights. Subject to the terms of this licence, each contributor grants to you a free,\n` +
        `worldwide, non-exclusive right to use, copy, and share the ${word(i)}; see Section ${
          i + 2
        }(b), (c) and (d).\n` +
        `   (a) You may not use the name, the mark, or the ${word(i + 1)} of the contributor: this is not allowed.`,
      "\n\n",
    ),
  },
  {
    name: "numbered advice",
    text: many(40, (i) => `${i + 1}. Check the ${word(i)} before you open the ${word(i + 1)}.`),
  },
  {
    name: "numbered paragraphs with notes",
    text: many(
      40,
      (i) =>
        `${i + 1}. The ${word(i)} keeps the ${word(i + 2)}.\n   Note: it is late.\n   So we went on with the ${
          word(i)
        }.`,
    ),
  },
  {
    name: "a recipe",
    text: `# Soup\n\nServes: 4\nTime: 30 minutes\n\n## Ingredients\n\n${
      many(20, (i) => `- ${i + 1} cups of ${word(i)}, chopped, ${i * 10} g`)
    }\n\n## Steps\n\n${many(12, (i) => `${i + 1}. Stir the ${word(i)}, add salt, and wait ${i} minutes.`)}`,
  },
  {
    name: "minutes of a meeting",
    text: many(
      12,
      (i) =>
        `Item ${i + 1}: ${upper(i)}\nDiscussion: ${upper(i)} asked whether the ${word(i)} is open.\nIt is not, said ${
          upper(i + 1)
        }.\n` +
        `Action: find out by ${i + 1} May`,
      "\n\n",
    ),
  },
  {
    name: "a glossary",
    text: many(40, (i) => `${upper(i)} ${i}: a ${word(i + 1)} that holds a ${word(i + 2)}, as in section ${i}.`),
  },
  {
    name: "a page with one small table",
    text: `${many(30, (i) => `The ${word(i)} of the year ${1950 + i} was the ${word(i + 1)}.`, "\n\n")}\n\n` +
      `| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n${many(20, (i) => `And then the ${word(i)} closed.`, "\n\n")}`,
  },
];

const CODE: Document[] = [
  {
    name: "JavaScript calls",
    text: many(60, (i) => `  draw(${i}, ${i * 2}, "${word(i)}");`),
  },
  {
    name: "a matrix literal",
    text: many(60, (i) => `    [${i}, ${i % 7}, ${i % 5}, ${i * 3}],`),
  },
  {
    name: "a C table of structs",
    text: `static const struct entry table[] = {\n${
      many(60, (i) => `    { "${word(i)}",   ${pad(i, 4)}, 0x${i.toString(16)}, NULL },`)
    }\n};`,
  },
  {
    name: "Python with aligned assignments",
    text: many(50, (i) => `self.${word(i)}_${i}   = config.get("${word(i)}", ${i})  # the ${word(i + 1)}`),
  },
  {
    name: "SQL inserts",
    text: `INSERT INTO things (id, name, qty) VALUES\n${many(60, (i) => `(${i}, '${word(i)}', ${i * 2}),`)}`,
  },
  {
    name: "SQL statements",
    text: many(30, (i) => `SELECT id, name, qty FROM ${word(i)} WHERE id = ${i}, name IS NOT NULL;`),
  },
  {
    name: "assembler",
    text: many(60, (i) => `    mov     eax, [ebx+${i}]      ; ${word(i)}\n    add     eax, ${i}`),
  },
  {
    name: "an enumeration",
    text: `enum Kind {\n${many(50, (i) => `  ${word(i).toUpperCase()}_${i} = ${i},`)}\n}`,
  },
  {
    name: "imports",
    text: many(50, (i) => `import { ${word(i)}, ${word(i + 1)}, ${word(i + 2)} } from "./${word(i + 3)}_${i}.ts";`),
  },
  {
    name: "CSS rules",
    text: many(
      40,
      (i) =>
        `.${word(i)}-${i} {\n  color: #${
          (i * 991).toString(16).padStart(6, "0")
        };\n  margin: ${i}px;\n  width: ${i}em;\n}`,
      "\n\n",
    ),
  },
  {
    name: "HTML without a table",
    text: `<html><body>\n${
      many(40, (i) => `<p class="${word(i)}">The ${word(i)}, ${i}, <b>${word(i + 1)}</b></p>`)
    }\n</body></html>`,
  },
  {
    name: "a drawing",
    text: `<svg xmlns="http://www.w3.org/2000/svg">\n${
      many(60, (i) => `<rect x="${i}" y="${i * 2}" width="10" height="5" fill="red"/>`)
    }\n</svg>`,
  },
  {
    name: "shell with pipes",
    text: many(50, (i) => `cat ${word(i)}.txt | grep -v ${word(i + 1)} | sort | uniq -c`),
  },
  {
    name: "a Haskell table of cases",
    text: many(40, (i) => `  | ${word(i)} == ${i}   = ${word(i + 1)}\n  | otherwise = ${i}`),
  },
  {
    name: "a JSON document cut off",
    text: `[\n${many(60, (i) => `  {"id": ${i}, "name": "${word(i)}", "qty": ${i * 2}},`)}\n  {"id": 60, "na`,
  },
  {
    name: "a test report in TAP",
    text: `1..60\n${many(60, (i) => `ok ${i + 1} - ${word(i)} opens the ${word(i + 1)}, twice, in ${i} ms`)}`,
  },
];

const LOGS: Document[] = [
  {
    name: "an application log",
    text: many(
      80,
      (i) =>
        `2025-03-01T10:${two(i)}:${two(i * 7)}Z INFO [worker-${i % 4}] ${upper(i)} sent. took=${i}ms, retries=${i % 3}`,
    ),
  },
  {
    name: "a Python log with comma milliseconds",
    text: many(
      80,
      (i) => `2025-03-01 10:${two(i)}:${two(i * 7)},${100 + i} - ${word(i)} - INFO - ${i} items, ${i % 3} left`,
    ),
  },
  {
    name: "an access log",
    text: many(
      80,
      (i) =>
        `10.0.0.${i} - - [01/Mar/2025:10:${two(i)}:00 +0000] "GET /${word(i)}/${i} HTTP/1.1" 200 ${
          i * 17
        } "-" "agent/1.0"`,
    ),
  },
  {
    name: "syslog",
    text: many(
      80,
      (i) => `Mar  1 10:${two(i)}:01 host ${word(i)}[${1000 + i}]: session opened for user ${word(i + 1)}(uid=0)`,
    ),
  },
  {
    name: "a stack trace",
    text: many(
      12,
      (i) =>
        `Exception in thread "main" java.lang.IllegalStateException: ${word(i)}\n` +
        many(6, (j) => `\tat com.example.${word(i + j)}.${upper(j)}.run(${upper(j)}.java:${j * 13 + 1})`),
    ),
  },
  {
    name: "a Python traceback",
    text: many(
      12,
      (i) =>
        `Traceback (most recent call last):\n` +
        many(4, (j) =>
          `  File "/srv/${word(j)}.py", line ${j * 11 + 1}, in ${word(j + 1)}\n    ${word(j)}(${i}, ${j})`) +
        `\nValueError: ${word(i)}`,
      "\n\n",
    ),
  },
  {
    name: "logs with aligned columns",
    text: many(80, (i) => `INFO   ${word(i).padEnd(10)}  started in ${pad(i, 4)} ms    (${word(i + 1)})`),
  },
  {
    name: "compiler warnings",
    text: many(50, (i) => `src/${word(i)}.c:${i + 1}:${i % 40}: warning: unused variable '${word(i + 1)}' [-Wunused]`),
  },
  {
    name: "output of ping",
    text: many(60, (i) => `64 bytes from 192.0.2.1: icmp_seq=${i} ttl=57 time=${10 + (i % 7)}.${i % 10} ms`),
  },
  {
    name: "a build log",
    text: many(60, (i) => `[${pad(i, 3)}%] Building CXX object CMakeFiles/${word(i)}.dir/${word(i + 1)}.cc.o`),
  },
];

const CHANGES: Document[] = [
  {
    name: "a diff",
    text: many(
      30,
      (i) =>
        `diff --git a/${word(i)}.ts b/${word(i)}.ts\nindex ${
          (i * 7919).toString(16).padStart(7, "0")
        }..1234567 100644\n` +
        `--- a/${word(i)}.ts\n+++ b/${
          word(i)
        }.ts\n@@ -${i},3 +${i},4 @@\n const a = ${i};\n-let b, c, d;\n+let b, c, e;`,
    ),
  },
  {
    name: "a diff of a CSV file",
    text: `--- a/things.csv\n+++ b/things.csv\n@@ -1,60 +1,60 @@\n id,name,qty\n${
      many(40, (i) => `-${i},${word(i)},${i * 2}\n+${i},${word(i)},${i * 3}`)
    }`,
  },
  {
    name: "a git log",
    text: many(
      30,
      (i) =>
        `commit ${(i * 104729).toString(16).padStart(40, "a")}\nAuthor: ${upper(i)} <${word(i)}@example.com>\n` +
        `Date:   Sat Mar 1 10:${two(i)}:00 2025 +0000\n\n    Open the ${word(i)}, shut the ${word(i + 1)}`,
      "\n\n",
    ),
  },
  {
    name: "a git log on one line",
    text: many(
      80,
      (i) =>
        `${(i * 104729 + 4096).toString(16).padStart(7, "0")} ${upper(i)}: open the ${word(i)}, shut the rest (#${i})`,
    ),
  },
  {
    name: "a diffstat",
    text: `${
      many(60, (i) =>
        ` src/${word(i)}/${word(i + 1)}_${i}.ts | ${pad(i, 3)} ${"+".repeat(i % 9 + 1)}${"-".repeat(i % 5)}`)
    }\n 60 files changed, 1770 insertions(+), 120 deletions(-)`,
  },
  {
    name: "numstat",
    text: many(80, (i) => `${i}\t${i % 7}\tsrc/${word(i)}/${word(i + 1)}_${i}.ts`),
  },
  {
    name: "a changelog",
    text: many(
      12,
      (i) =>
        `## 1.${20 - i}.0 (2025-0${(i % 9) + 1}-01)\n\n### Fixed\n\n- The ${
          word(i)
        } no longer opens twice, thrice, or ${i} times ([#${i}](x))\n` +
        `- Note: ${word(i + 1)} is gone\n\n### Added\n\n- \`${word(i)}\`: a new ${word(i + 2)}`,
      "\n\n",
    ),
  },
  {
    name: "a Debian changelog",
    text: many(
      20,
      (i) =>
        `${word(1)} (1.${40 - i}-1) unstable; urgency=medium\n\n  * Open the ${word(i)}, shut the ${
          word(i + 1)
        }. (Closes: #${i})\n\n` +
        ` -- ${upper(i)} <${word(i)}@example.org>  Sat, 01 Mar 2025 10:${two(i)}:00 +0000`,
      "\n\n",
    ),
  },
  {
    name: "git blame",
    text: many(
      80,
      (i) =>
        `${(i * 7919 + 4096).toString(16).padStart(8, "0")} (${upper(i).padEnd(10)} 2025-03-01 10:${two(i)}:00 +0000 ${
          pad(i + 1, 3)
        }) const ${word(i)} = ${i};`,
    ),
  },
];

/** All of them. */
export const NOT_TABLES: readonly Document[] = [
  ...PROSE,
  ...CODE,
  ...LOGS,
  ...CHANGES,
  ...LISTINGS,
  ...SETTINGS,
  ...FORMATS,
  ...BROKEN,
];

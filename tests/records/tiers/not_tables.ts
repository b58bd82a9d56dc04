/** Documents that are no tables, though some of their lines look like rows. All of them are made up. @module */

/** A document and what it is. */
export interface Document {
  readonly name: string;
  readonly text: string;
}

/** `count` lines or paragraphs from a number. */
function many(count: number, line: (i: number) => string, between = "\n"): string {
  return Array.from({ length: count }, (_, i) => line(i)).join(between);
}

const WORDS = "harbor lantern meadow copper signal garden needle bucket ledger window valve orchard".split(" ");
const word = (i: number) => WORDS[(i * 7 + (i >> 2)) % WORDS.length] ?? "word";
const upper = (i: number) => word(i).charAt(0).toUpperCase() + word(i).slice(1);
const pad = (value: number, width: number) => String(value).padStart(width);
const two = (value: number) => String(value % 60).padStart(2, "0");

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

const LISTINGS: Document[] = [
  {
    name: "ls -l",
    text: `total 240\n${
      many(80, (i) =>
        `${i % 5 ? "-rw-r--r--" : "drwxr-xr-x"} ${pad(i % 9 + 1, 2)} root root ${pad(i * 37, 6)} Mar ${
          pad(i % 28 + 1, 2)
        } 10:${two(i)} ${word(i)}_${i}`)
    }`,
  },
  {
    name: "a file tree",
    text: `.\n${
      many(30, (i) => `├── ${word(i)}\n│   ├── ${word(i + 1)}.ts\n│   └── ${word(i + 2)}.ts`)
    }\n└── end\n\n31 directories, 60 files`,
  },
  { name: "paths", text: many(100, (i) => `/srv/${word(i)}/${word(i + 1)}/${word(i + 2)}_${i}.ts`) },
  {
    name: "marks of files and folders",
    text: many(100, (i) => `[${i % 3 ? "FILE" : "DIR"}] ${word(i)}_${i}`),
  },
  { name: "du", text: many(80, (i) => `${i * 4}K\t./${word(i)}/${word(i + 1)}`) },
  {
    name: "a search in files",
    text: many(80, (i) => `src/${word(i)}.ts:${i + 1}:  const ${word(i + 1)} = [${i}, ${i + 1}, ${i + 2}];`),
  },
  {
    name: "dpkg -l",
    text:
      `Desired=Unknown/Install/Remove/Purge/Hold\n| Status=Not/Inst/Conf-files/Unpacked\n|/ Err?=(none)/Reinst-required\n` +
      `||/ Name           Version      Architecture Description\n+++-==============-============-============-=================\n` +
      many(
        60,
        (i) => `ii  ${word(i).padEnd(14)} ${`1.${i}-1`.padEnd(12)} amd64        The ${word(i)} of ${word(i + 1)}`,
      ),
  },
  {
    name: "ps aux",
    text: `USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n${
      many(60, (i) =>
        `root      ${pad(i * 7, 6)}  0.${i % 10}  0.${i % 7} ${pad(i * 1000, 6)} ${pad(i * 100, 5)} ?        Ss   10:${
          two(i)
        }   0:0${i % 10} ${word(i)} --${word(i + 1)}`)
    }`,
  },
  {
    name: "df",
    text: `Filesystem     1K-blocks     Used Available Use% Mounted on\n${
      many(40, (i) =>
        `/dev/sd${word(i).charAt(0)}${i % 9}       ${pad(i * 10_007, 8)} ${pad(i * 5_003, 8)}  ${pad(i * 4_001, 8)}  ${
          pad(i % 100, 2)
        }% /${word(i)}`)
    }`,
  },
  {
    name: "an accessibility tree",
    text: many(
      40,
      (i) =>
        `- row "${i}" [ref=e${i}]:\n  - cell "${word(i)}" [ref=e${i}a]\n  - link "${
          upper(i)
        }" [ref=e${i}b]:\n    - /url: /item/${i}`,
    ),
  },
];

const SETTINGS: Document[] = [
  {
    name: "an INI file",
    text: many(12, (i) => `[${word(i)}_${i}]\nname = ${word(i)}\nport = ${8000 + i}\nhosts = a, b, c`, "\n\n"),
  },
  {
    name: "a TOML file",
    text: `title = "things"\n\n${
      many(12, (i) =>
        `[server.${word(i)}${i}]\nname = "${word(i)}"\nports = [${i}, ${i + 1}, ${i + 2}]\nlimit = ${i}`, "\n\n")
    }`,
  },
  {
    name: "a workflow in YAML",
    text: `name: ci\non: [push]\njobs:\n${
      many(8, (i) =>
        `  ${word(i)}${i}:\n    runs-on: linux\n    steps:\n      - uses: actions/checkout@v4\n      - run: make ${
          word(i)
        }\n      - name: ${upper(i)}\n        run: test ${i}`)
    }`,
  },
  {
    name: "compose services",
    text: `services:\n${
      many(10, (i) =>
        `  ${word(i)}${i}:\n    image: ${word(i)}:1.${i}\n    ports:\n      - "${
          8000 + i
        }:80"\n    environment:\n      A: ${i}`)
    }`,
  },
  {
    name: "a lock file in YAML",
    text: `lockfileVersion: '9.0'\n\npackages:\n\n${
      many(30, (i) =>
        `  ${word(i)}@1.${i}.0:\n    resolution: {integrity: sha512-${
          "a".repeat(20)
        }${i}==}\n    engines: {node: '>=${i}'}`, "\n\n")
    }`,
  },
  {
    name: "a yarn lock file",
    text: many(
      30,
      (i) =>
        `"${word(i)}@^1.${i}.0":\n  version "1.${i}.0"\n  resolved "https://example.com/${
          word(i)
        }-1.${i}.0.tgz"\n  integrity sha512-${i}==`,
      "\n\n",
    ),
  },
  {
    name: "an environment dump",
    text: many(60, (i) => `${word(i).toUpperCase()}_${i}=/srv/${word(i + 1)}:/srv/${word(i + 2)},${i}`),
  },
  {
    name: "a table of cron jobs",
    text: `# m h dom mon dow command\n${
      many(40, (i) => `${i} ${i % 24} * * ${i % 7} /usr/bin/${word(i)} --${word(i + 1)}`)
    }`,
  },
  {
    name: "fstab",
    text: `# <file system> <mount point>   <type>  <options>       <dump>  <pass>\n${
      many(30, (i) => `UUID=${i}${"0".repeat(8)} /${word(i).padEnd(10)}    ext4    defaults,ro     0       ${i % 3}`)
    }`,
  },
  {
    name: "services and ports",
    text: `# Network services\n\n${many(60, (i) => `${word(i)}${i}\t\t${i}/tcp\t\t\t# the ${word(i + 1)}`)}`,
  },
  {
    name: "passwd",
    text: many(60, (i) => `${word(i)}${i}:x:${i}:${i}:${upper(i)},,,:/home/${word(i)}:/bin/sh`),
  },
  {
    name: "an nginx file",
    text: many(
      20,
      (i) =>
        `server {\n    listen ${8000 + i};\n    server_name ${
          word(i)
        }.example.com;\n    location / { proxy_pass http://${word(i)}; }\n}`,
      "\n\n",
    ),
  },
  {
    name: "settings in XML",
    text: `<configuration>\n${
      many(30, (i) => `  <property><name>${word(i)}.${i}</name><value>${i}</value></property>`)
    }\n</configuration>`,
  },
  {
    name: "request headers",
    text: `GET /${word(1)} HTTP/1.1\n${
      many(40, (i) => `X-${upper(i)}-${i}: ${word(i)}; q=0.${i % 10}, ${word(i + 1)}`)
    }`,
  },
  {
    name: "front matter and prose",
    text: `---\ntitle: ${upper(1)}\ntags: [a, b]\n---\n\n${
      many(20, (i) => `The ${word(i)} opens at ${i}. It holds the ${word(i + 1)}.`, "\n\n")
    }`,
  },
];

const FORMATS: Document[] = [
  {
    name: "subtitles",
    text: many(40, (i) => `${i + 1}\n00:00:${two(i)},000 --> 00:01:${two(i)},500\nThe ${word(i)} opens.`, "\n\n"),
  },
  { name: "contact cards", text: many(40, (i) => `BEGIN:VCARD\nVERSION:3.0\nFN:${upper(i)}\nTEL:555-${i}\nEND:VCARD`) },
  {
    name: "messages to translate",
    text: many(40, (i) => `#: src/${word(i)}.c:${i}\nmsgid "${word(i)}"\nmsgstr "${upper(i)}"`, "\n\n"),
  },
  {
    name: "a Cargo lock file",
    text: many(40, (i) => `[[package]]\nname = "${word(i)}"\nversion = "1.${i}.0"\nsource = "registry"`, "\n\n"),
  },
  { name: "checksums of modules", text: many(60, (i) => `example.com/${word(i)} v1.${i}.0 h1:${word(i + 1)}${i}=`) },
  { name: "pinned requirements", text: many(60, (i) => `${word(i)}${i}==1.${i}.0  # via ${word(i + 1)}`) },
  {
    name: "resources of an infrastructure",
    text: many(30, (i) => `resource "thing" "${word(i)}${i}" {\n  name = "${word(i)}"\n  size = ${i}\n}`, "\n\n"),
  },
  {
    name: "a bibliography",
    text: many(30, (i) => `@article{${word(i)}${i},\n  title = {${upper(i)}},\n  year = {${1950 + i}}\n}`, "\n\n"),
  },
  {
    name: "edges of a drawing",
    text: many(60, (i) => `${word(i)}${i} -> ${word(i + 1)} [label="${word(i)}, ${i}, x"];`),
  },
  { name: "moves of a machine", text: many(80, (i) => `G1 X${i} Y${i * 2} Z0.2 F1200`) },
  { name: "rows of a typesetter", text: many(60, (i) => `${i} & ${word(i)} & ${i * 2} \\\\`) },
  {
    name: "steps of one job in YAML",
    text: `on: push\njobs:\n  build:\n    steps:\n${
      many(30, (i) => `      - name: ${word(i)}\n        run: make ${word(i + 1)}`)
    }`,
  },
  {
    name: "ports of one service in YAML",
    text: `services:\n  web:\n    ports:\n${many(30, (i) => `      - target: ${i}\n        published: ${8000 + i}`)}`,
  },
  {
    name: "an access log in tabs",
    text: many(80, (i) => `10.0.0.${i}\t2025-03-01T10:${two(i)}:00Z\tGET\t/${word(i)}\t200\t${i * 17}`),
  },
  { name: "a listing in tabs", text: many(80, (i) => `644\t${i * 37}\t2025-03-01\t./src/${word(i)}_${i}.ts`) },
  {
    name: "counts of lines",
    text: many(60, (i) => `${pad(i, 5)} ${pad(i * 10, 6)} ${pad(i * 100, 7)} src/${word(i)}_${i}.ts`),
  },
];

const BROKEN: Document[] = [
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

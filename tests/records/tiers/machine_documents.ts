/** Listings, settings and formats that are no tables. All of them are made up. @module */

import { type Document, many, pad, two, upper, word } from "./documents.ts";

/** What programs list. */
export const LISTINGS: readonly Document[] = [
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

/** What programs are told. */
export const SETTINGS: readonly Document[] = [
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

/** What programs exchange. */
export const FORMATS: readonly Document[] = [
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
